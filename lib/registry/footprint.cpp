// SPDX-License-Identifier: BSD-3-Clause
#include "registry/footprint.hpp"

#include <utility>

namespace waybill::registry {

namespace {

using Block = BlockList::Block;

constexpr auto limit = static_cast<std::int64_t>(address_limit);

/// The distance covered by @p count steps; false if it leaves the address space.
bool distance(std::size_t count, std::size_t step, std::int64_t& covered) {
  return !__builtin_mul_overflow(count, step, &covered) && covered <= limit;
}

/// A negative @p begin is far beyond the limit.
Footprint strided(std::int64_t begin, std::size_t rows, std::size_t row_bytes,
                  std::size_t stride_bytes) {
  std::int64_t last_row = 0;
  if (rows == 0 || row_bytes == 0 || row_bytes >= address_limit) return {};
  if (!distance(rows - 1, stride_bytes, last_row)) return {};
  Footprint made = contiguous_footprint(static_cast<std::uintptr_t>(begin),
                                        static_cast<std::size_t>(last_row) + row_bytes);
  if (rows == 1 || stride_bytes <= row_bytes || made.shape == Shape::unwatched) return made;
  made.count = rows;
  made.row_bytes = row_bytes;
  made.stride_bytes = stride_bytes;
  made.shape = Shape::strided;
  return made;
}

/// A block list whose blocks are rows, as a strided view where its elements
/// continue the rows downwards or to the side; else unwatched.
Footprint rows_of_blocks(std::int64_t lowest, std::size_t count, std::size_t step,
                         const BlockList& element) {
  const std::size_t rows = element.blocks.size();
  const std::size_t row_bytes = element.blocks.front().bytes;
  const std::int64_t begin = lowest + element.blocks.front().offset;
  if (rows == 1) return strided(begin, count, row_bytes, step);
  if (element.stride_bytes == 0) return {};
  if (count == 1) return strided(begin, rows, row_bytes, element.stride_bytes);
  std::int64_t covered = 0;
  if (distance(rows, element.stride_bytes, covered) && step == static_cast<std::size_t>(covered) &&
      distance(rows, count, covered)) {
    return strided(begin, static_cast<std::size_t>(covered), row_bytes, element.stride_bytes);
  }
  if (step <= row_bytes && distance(count - 1, step, covered)) {
    return strided(begin, rows, static_cast<std::size_t>(covered) + row_bytes,
                   element.stride_bytes);
  }
  return {};
}

}  // namespace

Footprint strided_footprint(const void* address, std::size_t rows, std::size_t row_bytes,
                            std::size_t stride_bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (begin >= address_limit) return {};
  return strided(static_cast<std::int64_t>(begin), rows, row_bytes, stride_bytes);
}

Footprint blocks_footprint(const void* address, std::size_t count,
                           std::shared_ptr<const BlockList> element) noexcept {
  const auto base = reinterpret_cast<std::uintptr_t>(address);
  if (element == nullptr || element->blocks.empty() || count == 0 || base >= address_limit) {
    return {};
  }
  // Counted from the lowest element, so that the step is never negative.
  const std::int64_t extent = element->extent_bytes;
  if (extent <= -limit || extent >= limit) return {};
  if (extent == 0) count = 1;
  const auto step = static_cast<std::size_t>(extent < 0 ? -extent : extent);
  std::int64_t covered = 0;
  if (!distance(count - 1, step, covered)) return {};
  const std::int64_t lowest = static_cast<std::int64_t>(base) - (extent < 0 ? covered : 0);

  const Block& first = element->blocks.front();
  const Block& last = element->blocks.back();
  if (first.offset <= -limit || last.offset >= limit || last.bytes >= address_limit) return {};
  const Footprint rows = rows_of_blocks(lowest, count, step, *element);
  if (rows.shape != Shape::unwatched) return rows;
  const std::int64_t begin = lowest + first.offset;
  const std::int64_t span = last.offset - first.offset;
  Footprint made = contiguous_footprint(
      static_cast<std::uintptr_t>(begin),
      static_cast<std::size_t>(span) + static_cast<std::size_t>(covered) + last.bytes);
  if (made.shape == Shape::unwatched) return made;
  made.count = count;
  made.stride_bytes = step;
  made.blocks = std::move(element);
  made.shape = Shape::blocks;
  return made;
}

}  // namespace waybill::registry
