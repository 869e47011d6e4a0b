// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/division.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace waybill::communicator {

namespace {

/// Begin and end, in elements.
using Block = std::pair<std::size_t, std::size_t>;

std::string why_over_each_other(std::vector<Block>& blocks) {
  std::erase_if(blocks, [](const Block& block) { return block.first == block.second; });
  if (!std::is_sorted(blocks.begin(), blocks.end())) std::sort(blocks.begin(), blocks.end());
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].first < blocks[i - 1].second) {
      return fmt::format("blocks of the result share element {}, which would be written twice",
                         blocks[i].first);
    }
  }
  return {};
}

}  // namespace

std::size_t sum_of_counts(const Blocks& blocks) noexcept {
  return std::accumulate(blocks.counts().begin(), blocks.counts().end(), std::size_t{0});
}

std::string why_not_divisible(const BufferShape& buffer, int ranks) {
  const auto parts = static_cast<std::size_t>(ranks);
  if (buffer.rows > 1 && buffer.rows % parts != 0) {
    return fmt::format("{} rows cannot be divided among {} ranks", buffer.rows, ranks);
  }
  if (buffer.rows <= 1 && buffer.elements() % parts != 0) {
    return fmt::format("{} elements cannot be divided among {} ranks", buffer.elements(), ranks);
  }
  return {};
}

std::string why_not_divisible(const BufferShape& buffer, const Blocks& blocks, int ranks,
                              bool written) {
  const std::vector<std::size_t>& counts = blocks.counts();
  const std::vector<std::size_t>& displacements = blocks.displacements();
  if (buffer.rows > 1) return "a strided buffer cannot be divided into blocks of any size";
  if (counts.size() != static_cast<std::size_t>(ranks)) {
    return fmt::format("there are {} counts for {} ranks", counts.size(), ranks);
  }
  if (!displacements.empty() && displacements.size() != counts.size()) {
    return fmt::format("there are {} displacements for {} ranks", displacements.size(), ranks);
  }
  const std::size_t elements = buffer.elements();
  std::vector<Block> all;
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (!displacements.empty()) begin = displacements[rank];
    const std::size_t count = counts[rank];
    if (count != 0 && (begin > elements || count > elements - begin)) {
      return fmt::format(
          "the block of rank {} has {} elements from element {} on, the buffer has {}", rank,
          static_cast<std::ptrdiff_t>(count), static_cast<std::ptrdiff_t>(begin), elements);
    }
    if (written && !displacements.empty()) all.emplace_back(begin, begin + count);
    begin += count;
  }
  return why_over_each_other(all);
}

}  // namespace waybill::communicator
