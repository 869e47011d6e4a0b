// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/held_memory.hpp"

#include <algorithm>

namespace waybill::registry {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

/// Calls change(bucket, cells, level) for each word that an operation has a part in.
template <class Change>
void HeldMemory::for_each_word(const Footprint& footprint, Change change) noexcept {
  const auto take = [&](unsigned number, std::uintptr_t begin, std::uintptr_t end) {
    if (begin >= end) return;
    const Level& level = levels[number];
    const std::uintptr_t first_cell = begin >> cell_bits(level);
    const std::uintptr_t last_cell = (end - 1) >> cell_bits(level);
    for (std::uintptr_t granule = first_cell / 32; granule <= last_cell / 32; ++granule) {
      const std::uintptr_t from = std::max(first_cell, granule * 32);
      const std::uintptr_t to = std::min(last_cell, granule * 32 + 31);
      change(bucket_of(granule, level), cells_between(from % 32, to % 32), number);
    }
  };
  unsigned number = level_of(footprint.end - footprint.begin);
  if (number == 0 || number == levels.size() - 1) {
    take(number, footprint.begin, footprint.end);
    return;
  }
  const auto cell = [](unsigned of) { return std::uintptr_t{1} << cell_bits(levels[of]); };
  std::uintptr_t begin = (footprint.begin + cell(number) - 1) & ~(cell(number) - 1);
  std::uintptr_t end = footprint.end & ~(cell(number) - 1);
  take(number, begin, end);  // more than two cells long, so that it fills one
  while (number-- > 0) {
    // Of the lowest level those that it only touches, too.
    const std::uintptr_t left = footprint.begin + (number == 0 ? 0 : cell(number) - 1);
    const std::uintptr_t right = footprint.end + (number == 0 ? cell(number) - 1 : 0);
    take(number, left & ~(cell(number) - 1), begin);
    take(number, end, right & ~(cell(number) - 1));
    begin = left & ~(cell(number) - 1);
    end = right & ~(cell(number) - 1);
  }
}

void HeldMemory::hold(const Footprint& footprint) noexcept {
  std::uint32_t own_levels = 0;
  for_each_word(footprint, [&](std::size_t bucket, Word cells, unsigned level) {
    own_levels |= 1U << level;
    runs_[bucket / run_buckets].fetch_add(1, relaxed);
    Word word = words_[bucket].load(relaxed);
    while (!words_[bucket].compare_exchange_weak(word, (word + one_operation) | cells, relaxed)) {
    }
  });
  if ((~used_levels_.load(relaxed) & own_levels) != 0) used_levels_.fetch_or(own_levels, relaxed);
  count_.fetch_add(1, relaxed);
}

void HeldMemory::let_go(const Footprint& footprint) noexcept {
  count_.fetch_sub(1, relaxed);
  for_each_word(footprint, [&](std::size_t bucket, Word /*cells*/, unsigned /*level*/) {
    Word word = words_[bucket].load(relaxed);
    Word left = 0;
    do {
      left = word - one_operation;
      if (static_cast<std::uint32_t>(left) == 0) left = 0;  // nobody touches its cells any more
    } while (!words_[bucket].compare_exchange_weak(word, left, relaxed));
    runs_[bucket / run_buckets].fetch_sub(1, relaxed);
  });
}

bool HeldMemory::run_may_hold(const Level& level, std::uintptr_t granule,
                              std::uintptr_t last) const noexcept {
  const std::size_t size = std::size_t{1} << level.bucket_bits;
  if (last - granule >= size) {  // all buckets
    for (std::size_t bucket = level.first_bucket; bucket < level.first_bucket + size;
         bucket += run_buckets) {
      if (runs_[bucket / run_buckets].load(relaxed) != 0) return true;
    }
    return false;
  }
  while (granule <= last) {
    const std::size_t bucket = bucket_of(granule, level);
    // up to the end of the run, or of the granules that bucket_of() keeps together
    const std::size_t length = std::min<std::size_t>(
        {last - granule + 1, run_buckets - bucket % run_buckets, size - (granule & (size - 1))});
    granule += length;
    if (length > 8 && runs_[bucket / run_buckets].load(relaxed) == 0) continue;
    Word any = 0;  // without a branch for each
    for (std::size_t i = bucket; i < bucket + length; ++i) any |= words_[i].load(relaxed);
    if (any != 0) return true;
  }
  return false;
}

}  // namespace waybill::registry
