// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The bytes of a footprint, run by run.

#include <cstddef>
#include <cstdint>

#include "registry/record.hpp"

namespace waybill::registry {

/// Calls @p use(address, bytes) for each run of bytes that @p footprint touches: row by
/// row, or element by element from the lowest on. Ends early, with false, where use
/// returns false.
template <class Use>
bool for_each_piece(const Footprint& footprint, Use use) {
  const std::size_t copies = footprint.count;
  switch (footprint.shape) {
    case Shape::unwatched: return true;
    case Shape::contiguous: return use(footprint.begin, footprint.end - footprint.begin);
    case Shape::strided:
      for (std::size_t i = 0; i < copies; ++i) {
        if (!use(footprint.begin + i * footprint.stride_bytes, footprint.row_bytes)) return false;
      }
      return true;
    case Shape::blocks: break;
  }
  const auto& blocks = footprint.blocks->blocks;
  const auto origin = footprint.begin - static_cast<std::uintptr_t>(blocks.front().offset);
  for (std::size_t i = 0; i < copies; ++i) {
    const std::uintptr_t element = origin + i * footprint.stride_bytes;
    for (const BlockList::Block& block : blocks) {
      if (!use(element + static_cast<std::uintptr_t>(block.offset), block.bytes)) return false;
    }
  }
  return true;
}

/// Bytes touched, counted twice where the pieces overlap.
[[nodiscard]] inline std::size_t touched_bytes(const Footprint& footprint) noexcept {
  if (footprint.shape == Shape::contiguous) return footprint.end - footprint.begin;
  if (footprint.shape == Shape::strided) return footprint.count * footprint.row_bytes;
  std::size_t bytes = 0;
  for_each_piece(footprint, [&](std::uintptr_t /*address*/, std::size_t piece) {
    bytes += piece;
    return true;
  });
  return bytes;
}

}  // namespace waybill::registry
