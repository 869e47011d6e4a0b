// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The bytes that one element of a derived type touches.

#include <cstddef>
#include <memory>
#include <vector>

namespace waybill::registry {

/// Relative to the element's address: sorted, disjoint, not adjacent. Immutable and shared.
struct BlockList {
  struct Block {
    std::ptrdiff_t offset;
    std::size_t bytes;
  };
  std::vector<Block> blocks;
  std::ptrdiff_t extent_bytes = 0;  ///< from one element to the next; may be <= 0
  /// Distance of the blocks if all are of one size and equally far apart, else 0.
  /// Lets a vector type be compared as a strided view, without walking its blocks.
  std::size_t stride_bytes = 0;
};

/// Blocks in any order, which may be empty, adjacent or overlap.
std::shared_ptr<const BlockList> make_block_list(std::vector<BlockList::Block> blocks,
                                                 std::ptrdiff_t extent_bytes);

}  // namespace waybill::registry
