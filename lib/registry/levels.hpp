// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How the byte index divides the address space: into granules, on levels, and
/// each granule into cells.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "registry/record.hpp"

namespace waybill::registry {

struct Level {
  unsigned granule_bits;
  unsigned bucket_bits;          // log2 of the number of buckets
  std::size_t first_bucket = 0;  // all levels in one array
};

inline constexpr std::array<Level, 8> levels = [] {
  std::array<Level, 8> made{
      {{8, 13}, {12, 12}, {16, 11}, {20, 10}, {24, 10}, {28, 9}, {32, 9}, {63, 6}}};
  for (std::size_t i = 1; i < made.size(); ++i) {
    made[i].first_bucket = made[i - 1].first_bucket + (std::size_t{1} << made[i - 1].bucket_bits);
  }
  return made;
}();
inline constexpr std::size_t all_buckets =
    levels.back().first_bucket + (std::size_t{1} << levels.back().bucket_bits);

/// The smallest whose granule is not smaller.
constexpr unsigned level_of(std::size_t bytes) noexcept {
  const auto bits = static_cast<unsigned>(std::bit_width(bytes - 1));
  return bits <= 8 ? 0 : std::min((bits - 5) / 4, 7U);
}

/// The granules of one level that bounds lie in.
struct Granules {
  std::uintptr_t first;
  std::uintptr_t last;
};

inline Granules granules_of(const Footprint& footprint, const Level& level) noexcept {
  return {footprint.begin >> level.granule_bits, (footprint.end - 1) >> level.granule_bits};
}

/// Keeps neighbours together inside a block of as many granules as there are
/// buckets, and turns each block further, so that arrays a power of two apart do
/// not share buckets. Two neighbours never share one: turn + 1 is no multiple of 64.
inline std::size_t bucket_of(std::uintptr_t granule, const Level& level) noexcept {
  constexpr std::uintptr_t turn = 0x9E3779B97F4A7C15;
  const std::uintptr_t mask = (std::uintptr_t{1} << level.bucket_bits) - 1;
  return level.first_bucket + ((granule + (granule >> level.bucket_bits) * turn) & mask);
}

/// A granule has 64 cells, a bit each.
using Cells = std::uint64_t;

inline Cells cells_between(unsigned first, unsigned last) noexcept {
  return (~Cells{0} << first) & (~Cells{0} >> (63 - last));
}

/// The cells of a granule that bounds touch; they lie in it, at least in part.
inline Cells cells_of(const Footprint& footprint, std::uintptr_t granule,
                      const Level& level) noexcept {
  const unsigned cell_bits = level.granule_bits - 6;
  const Granules granules = granules_of(footprint, level);
  const auto first = static_cast<unsigned>(footprint.begin >> cell_bits) & 63U;
  const auto last = static_cast<unsigned>((footprint.end - 1) >> cell_bits) & 63U;
  return cells_between(granules.first == granule ? first : 0, granules.last == granule ? last : 63);
}

/// Bounds inside one granule of level 0: most messages are small.
inline bool in_one_small_granule(const Footprint& footprint) noexcept {
  return ((footprint.begin ^ (footprint.end - 1)) >> levels[0].granule_bits) == 0;
}
/// Its bucket and its cells.
inline std::size_t small_bucket_of(const Footprint& footprint) noexcept {
  return bucket_of(footprint.begin >> levels[0].granule_bits, levels[0]);
}
inline Cells small_cells_of(const Footprint& footprint) noexcept {
  return cells_between(static_cast<unsigned>(footprint.begin >> 2) & 63U,
                       static_cast<unsigned>((footprint.end - 1) >> 2) & 63U);
}
static_assert(levels[0].granule_bits == 8, "small_cells_of() knows it");

}  // namespace waybill::registry
