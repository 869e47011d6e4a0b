// SPDX-License-Identifier: BSD-3-Clause
#include "registry/block_list.hpp"

#include <algorithm>
#include <utility>

namespace waybill::registry {

namespace {

using Block = BlockList::Block;

std::ptrdiff_t end_of(const Block& block) {
  return block.offset + static_cast<std::ptrdiff_t>(block.bytes);
}

void sort_and_join(std::vector<Block>& blocks) {
  std::erase_if(blocks, [](const Block& block) { return block.bytes == 0; });
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.offset < b.offset; });
  std::size_t kept = 0;
  for (const Block& block : blocks) {
    if (kept > 0 && block.offset <= end_of(blocks[kept - 1])) {
      Block& last = blocks[kept - 1];
      last.bytes = static_cast<std::size_t>(std::max(end_of(last), end_of(block)) - last.offset);
    } else {
      blocks[kept++] = block;
    }
  }
  blocks.resize(kept);
}

std::size_t common_stride(const std::vector<Block>& blocks) {
  if (blocks.size() < 2) return 0;
  const std::ptrdiff_t stride = blocks[1].offset - blocks[0].offset;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].bytes != blocks[0].bytes) return 0;
    if (blocks[i].offset - blocks[i - 1].offset != stride) return 0;
  }
  return static_cast<std::size_t>(stride);
}

}  // namespace

std::shared_ptr<const BlockList> make_block_list(std::vector<Block> blocks,
                                                 std::ptrdiff_t extent_bytes) {
  auto list = std::make_shared<BlockList>();
  list->blocks = std::move(blocks);
  list->extent_bytes = extent_bytes;
  sort_and_join(list->blocks);
  list->stride_bytes = common_stride(list->blocks);
  return list;
}

}  // namespace waybill::registry
