// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which live operations touch the same bytes.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "registry/record.hpp"
#include "registry/stripe.hpp"

namespace waybill::registry {

/// All live records by address. Any number of threads at once; about 480 KiB of
/// memory, once, and none per record.
///
/// A hash of granules on eight levels: 256 B, 4 KiB, 64 KiB ... 4 GiB, everything.
/// A record lives on the smallest level whose granule is not smaller than its
/// bounds, so that it lies in at most two granules and needs at most two links.
/// Neighbouring granules have neighbouring buckets: a large record finds small
/// ones by walking a run of buckets, and passes over 64 empty ones with one load.
/// A program that has only small records pays for level 0 alone.
class ByteIndex {
 public:
  ByteIndex();
  ByteIndex(const ByteIndex&) = delete;
  ByteIndex& operator=(const ByteIndex&) = delete;

  /// Adds a record, which must be in no index, and returns copies of the live
  /// ones that share a byte with it where at least one of both writes. Every such
  /// pair is returned to one of the two insertions; if these race, then perhaps to
  /// both. Allocates only for what it returns, and leaves out what there is no
  /// memory for. An unwatched record is not added.
  [[nodiscard]] std::vector<Record> insert(Record& record) noexcept;

  /// The same for a small record with nothing near it, which most are: false, and
  /// nothing added, if it takes insert() to tell. A pair can then go unseen only
  /// if the other record is taken out between the two calls.
  [[nodiscard]] bool insert_if_alone(Record& record) noexcept;

  /// Takes a record out; no effect on one that is not in.
  void remove(Record& record) noexcept;

 private:
  /// Buckets have one chain per Access: reads do not look at reads, so that many
  /// sends of one buffer cost no more than one.
  using Bucket = std::array<IndexLink*, 2>;
  struct Place;
  struct Search;

  /// Calls change(number of the link) for each bucket of a place, locked.
  template <class Change>
  void in_buckets_of(const Place& place, bool adds, Change change) noexcept;
  void announce(std::uint32_t own_level) noexcept;
  void add(IndexLink& link, Bucket& bucket) noexcept;
  void insert_anywhere(Record& record, std::vector<Record>& found) noexcept;
  void remove_anywhere(Record& record) noexcept;
  bool is_alone_on(std::uint32_t numbers, Record& record) noexcept;
  void search_levels(std::uint32_t numbers, const Record& record,
                     std::vector<Record>& found) noexcept;
  void search_level(unsigned number, Search& search) noexcept;
  void search_run(std::size_t bucket, std::size_t length, std::uintptr_t granule,
                  Search& search) noexcept;

  std::unique_ptr<Bucket[]> buckets_;
  std::unique_ptr<Stripe[]> stripes_;
  std::atomic<std::uint32_t> used_levels_{0};  // a bit per level that ever had a record
};

}  // namespace waybill::registry
