// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which live operations touch the same bytes.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "registry/chain.hpp"
#include "registry/levels.hpp"
#include "registry/record.hpp"
#include "registry/sole_user.hpp"
#include "registry/stripe.hpp"

namespace waybill::registry {

/// All live records by address. Any number of threads at once; about 563 KiB of
/// memory, once, and none per record.
///
/// A hash of granules on eight levels: 256 B, 4 KiB, 64 KiB ... 4 GiB, everything.
/// A record lives on the smallest level whose granule is not smaller than its
/// bounds, so that it lies in at most two granules and needs at most two links.
/// Neighbouring granules have neighbouring buckets: a large record finds small
/// ones by walking a run of buckets, and passes over 64 empty ones with one load.
/// A program that has only small records pays for level 0 alone, and one that posts
/// and waits on one thread for no locks.
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
  [[nodiscard, gnu::always_inline]] bool insert_if_alone(Record& record) noexcept {
    const Footprint& footprint = record.footprint;
    if (!in_one_small_granule(footprint) || footprint.shape != Shape::contiguous) [[unlikely]]
      return false;
    if (user_.enter()) [[likely]] {
      const bool added =
          used_levels_.load(std::memory_order_relaxed) == 1 && add_to_free_cells(record);
      user_.leave();
      if (added) [[likely]]
        return true;
    }
    return insert_small(record);
  }

  /// Takes a record out; no effect on one that is not in.
  [[gnu::always_inline]] void remove(Record& record) noexcept {
    if (record.links[0].record == nullptr) return;
    if (!in_one_small_granule(record.footprint) || !user_.enter()) [[unlikely]] {
      remove_anywhere(record);
      return;
    }
    const std::size_t number = small_bucket_of(record.footprint);
    stripes_[number / stripe_buckets].remove(1);
    buckets_[number][static_cast<std::size_t>(record.access)].remove(
        record.links[0], [&record] { return small_cells_of(record.footprint); });
    user_.leave();
  }

 private:
  /// Buckets have one chain per Access: reads do not look at reads, so that many
  /// sends of one buffer cost no more than one.
  using Bucket = std::array<Chain, 2>;
  struct Place;
  struct Search;

  static constexpr std::size_t stripe_buckets = 64;
  static constexpr auto reads = static_cast<std::size_t>(Access::read);
  static constexpr auto writes = static_cast<std::size_t>(Access::write);

  /// For a sole user: adds a small record if no other touches its cells.
  bool add_to_free_cells(Record& record) noexcept {
    const std::size_t number = small_bucket_of(record.footprint);
    const Cells cells = small_cells_of(record.footprint);
    Bucket& bucket = buckets_[number];
    if (bucket[writes].touches(cells) ||
        (record.access == Access::write && bucket[reads].touches(cells))) [[unlikely]] {
      return false;
    }
    stripes_[number / stripe_buckets].add(1);
    record.links[0].record = &record;
    bucket[static_cast<std::size_t>(record.access)].add(record.links[0], cells);
    return true;
  }

  bool insert_small(Record& record) noexcept;
  /// Calls change(number of the link) for each bucket of a place, locked if not alone.
  template <class Change>
  void in_buckets_of(const Place& place, bool alone, bool adds, Change change) noexcept;
  void announce(std::uint32_t own_level) noexcept;
  void insert_anywhere(Record& record, std::vector<Record>& found) noexcept;
  void remove_anywhere(Record& record) noexcept;
  void take_out(Record& record, bool alone) noexcept;
  bool is_alone_on(std::uint32_t numbers, Record& record, bool alone) noexcept;
  void search_levels(std::uint32_t numbers, Search search) noexcept;
  void search_level(unsigned number, Search& search) noexcept;
  void search_run(std::size_t bucket, std::size_t length, std::uintptr_t granule,
                  Search& search) noexcept;

  SoleUser user_;
  std::unique_ptr<Bucket[]> buckets_;
  std::unique_ptr<Stripe[]> stripes_;
  std::atomic<std::uint32_t> used_levels_{0};  // a bit per level that ever had a record
};

}  // namespace waybill::registry
