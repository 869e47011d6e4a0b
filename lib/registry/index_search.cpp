// SPDX-License-Identifier: BSD-3-Clause
// The byte index looks for records on other levels.
#include "registry/index_search.hpp"

#include <bit>
#include <new>

#include "registry/footprint.hpp"
#include "registry/overlap.hpp"

namespace waybill::registry {

/// Takes a copy, because the other may be gone once the stripe is unlocked.
void ByteIndex::Search::compare(const Record& other) noexcept {
  if (!overlaps(record.footprint, other.footprint)) return;
  try {
    found.push_back(other);
  } catch (const std::bad_alloc&) {  // a finding less
  }
}

[[gnu::noinline]] void ByteIndex::search_levels(std::uint32_t numbers, Search search) noexcept {
  for (; numbers != 0; numbers &= numbers - 1) {
    search_level(static_cast<unsigned>(std::countr_zero(numbers)), search);
  }
}

[[gnu::noinline]] void ByteIndex::search_level(unsigned number, Search& search) noexcept {
  const Level& level = levels[number];
  const std::size_t size = std::size_t{1} << level.bucket_bits;
  const Granules granules = granules_of(search.record.footprint, level);
  search.granule_bits = level.granule_bits;
  search.first = granules.first;
  if (granules.last - granules.first >= size) {  // the whole level
    for (std::size_t b = 0; b < size; b += stripe_buckets) {
      search_run(level.first_bucket + b, stripe_buckets, Search::any_granule, search);
    }
    return;
  }
  for (std::uintptr_t granule = granules.first;;) {
    const std::size_t bucket = bucket_of(granule, level);
    const std::uintptr_t left = granules.last - granule + 1;
    const std::size_t length =
        std::min({left, stripe_buckets - bucket % stripe_buckets, size - (granule & (size - 1))});
    search_run(bucket, length, granule, search);
    if (length == left) return;
    granule += length;
  }
}

void ByteIndex::search_run(std::size_t bucket, std::size_t length, std::uintptr_t granule,
                           Search& search) noexcept {
  Stripe& stripe = table_->stripes[bucket / stripe_buckets];
  if (stripe.empty()) return;
  if (search.may_give_up && !search.alone && !stripe.comes_free()) return;
  const StripeLock lock(stripe, search.alone, 0, 0);
  for (std::size_t i = 0; i < length; ++i) {
    search.bucket(table_->buckets[bucket + i],
                  granule == Search::any_granule ? granule : granule + i);
  }
}

std::vector<Record> ByteIndex::touching(std::uintptr_t begin, std::size_t bytes) noexcept {
  std::vector<Record> found;
  Record memory;
  memory.footprint = contiguous_footprint(begin, bytes);
  memory.access = Access::write;  // meets those that read, too
  if (memory.footprint.shape == Shape::unwatched || user_.is_inside()) return found;
  const Use use(user_);
  Search search{memory, found, use.alone()};
  search.may_give_up = true;
  search_levels(used_levels_.load(), search);
  return found;
}

}  // namespace waybill::registry
