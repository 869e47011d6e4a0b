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
    const SmallPlace place(record);  // before enter(), whose fence makes memory be read again
    if (user_.enter()) [[likely]] {
      const bool added = used_levels_.load(std::memory_order_relaxed) == 1 && add(record, place);
      user_.leave();
      if (added) [[likely]]
        return true;
    }
    return insert_small(record);
  }

  /// Copies of the live records that touch one of so many bytes. For who frees memory, at
  /// any place: inside this index itself, in a signal handler, after fork(). There it finds
  /// nothing rather than wait for ever for a lock that the calling thread may hold.
  [[nodiscard]] std::vector<Record> touching(std::uintptr_t begin, std::size_t bytes) noexcept;

  /// Takes a record out; no effect on one that is not in.
  void remove(Record& record) noexcept {
    if (record.links[0].record == nullptr) return;
    if (!remove_if_alone(record)) remove_anywhere(record);
  }
  /// The same for a small record, if no other thread uses the index; else false.
  [[nodiscard, gnu::always_inline]] bool remove_if_alone(Record& record) noexcept {
    const SmallPlace place(record);
    if (!in_one_small_granule(record.footprint) || !user_.enter()) [[unlikely]]
      return false;
    Table& table = *table_;
    table.stripes[place.bucket / stripe_buckets].remove(1);
    table.buckets[place.bucket][place.chain].remove(record.links[0],
                                                    [&place] { return place.cells; });
    user_.leave();
    return true;
  }

 private:
  /// Buckets have one chain per Access: reads do not look at reads, so that many
  /// sends of one buffer cost no more than one.
  using Bucket = std::array<Chain, 2>;
  static constexpr std::size_t stripe_buckets = 64;
  struct Table {
    std::array<Bucket, all_buckets> buckets;
    std::array<Stripe, all_buckets / stripe_buckets> stripes;
  };
  struct Place;
  struct Search;

  static constexpr auto reads = static_cast<std::size_t>(Access::read);
  static constexpr auto writes = static_cast<std::size_t>(Access::write);

  /// Where a small record goes.
  struct SmallPlace {
    explicit SmallPlace(const Record& record) noexcept
        : bucket(small_bucket_of(record.footprint)),
          cells(small_cells_of(record.footprint)),
          chain(static_cast<std::size_t>(record.access)) {}
    std::size_t bucket;
    Cells cells;
    std::size_t chain;
  };

  /// For a sole user: adds a small record if no other touches its cells.
  [[gnu::always_inline]] bool add(Record& record, const SmallPlace& place) noexcept {
    Bucket& bucket = table_->buckets[place.bucket];
    if (bucket[writes].touches(place.cells) ||
        (place.chain == writes && bucket[reads].touches(place.cells))) [[unlikely]] {
      return false;
    }
    table_->stripes[place.bucket / stripe_buckets].add(1);
    record.links[0].record = &record;
    bucket[place.chain].add(record.links[0], place.cells);
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
  std::unique_ptr<Table> table_;
  std::atomic<std::uint32_t> used_levels_{0};  // a bit per level that ever had a record
};

}  // namespace waybill::registry
