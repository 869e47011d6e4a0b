// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Buffers of every shape with the bytes they touch, counted one by one.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "registry/footprint.hpp"

namespace waybill::test {

using Bytes = std::bitset<4096>;  // of the arena

struct RandomBuffer {
  registry::Footprint footprint;
  Bytes touched;
};

/// Makes buffers in an arena of 4096 bytes that belongs to nobody; they crowd
/// around its middle, so that about half of the pairs meet.
class RandomBuffers {
 public:
  explicit RandomBuffers(std::uint64_t seed) : random_(seed) {}

  RandomBuffer next() {
    switch (number(0, 3)) {
      case 0: return contiguous();
      case 1: return strided();
      case 2: return blocks(irregular_blocks(), number(-70, 70));
      default: return vector_type();
    }
  }

  std::ptrdiff_t number(std::ptrdiff_t from, std::ptrdiff_t to) {
    return std::uniform_int_distribution<std::ptrdiff_t>(from, to)(random_);
  }
  std::size_t size(std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(random_);
  }

  static constexpr std::uintptr_t arena = 0x40000;

 private:
  using Block = registry::BlockList::Block;

  static const void* address(std::ptrdiff_t offset) {
    return reinterpret_cast<const void*>(arena + static_cast<std::uintptr_t>(offset));
  }
  static void touch(Bytes& bytes, std::ptrdiff_t begin, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) bytes.set(static_cast<std::size_t>(begin) + i);
  }
  std::ptrdiff_t somewhere() { return number(1900, 2100); }

  RandomBuffer contiguous() {
    RandomBuffer made;
    const std::ptrdiff_t begin = somewhere();
    const std::size_t count = size(0, 60);
    made.footprint = registry::contiguous_footprint(address(begin), count);
    touch(made.touched, begin, count);
    return made;
  }

  RandomBuffer strided() {
    RandomBuffer made;
    const std::ptrdiff_t begin = somewhere();
    const std::size_t rows = size(0, 9);
    const std::size_t row_bytes = size(0, 12);
    const std::size_t stride = size(0, 40);
    made.footprint = registry::strided_footprint(address(begin), rows, row_bytes, stride);
    for (std::size_t i = 0; i < rows; ++i) {
      touch(made.touched, begin + static_cast<std::ptrdiff_t>(i * stride), row_bytes);
    }
    return made;
  }

  RandomBuffer blocks(const std::vector<Block>& list, std::ptrdiff_t extent) {
    RandomBuffer made;
    const std::ptrdiff_t base = somewhere();
    const std::size_t count = size(0, 6);
    made.footprint =
        registry::blocks_footprint(address(base), count, registry::make_block_list(list, extent));
    for (std::size_t i = 0; i < count; ++i) {
      for (const Block& block : list) {
        touch(made.touched, base + static_cast<std::ptrdiff_t>(i) * extent + block.offset,
              block.bytes);
      }
    }
    return made;
  }

  std::vector<Block> irregular_blocks() {
    std::vector<Block> list(size(0, 7));
    for (Block& block : list) block = {number(-60, 120), size(0, 9)};
    return list;
  }

  /// As MPI_Type_vector makes them, resized to extents that interleave, abut or leave gaps.
  RandomBuffer vector_type() {
    const std::size_t rows = size(1, 6);
    const std::size_t row_bytes = size(1, 8);
    const auto stride = static_cast<std::ptrdiff_t>(row_bytes + size(0, 30));
    std::vector<Block> list(rows);
    for (std::size_t i = 0; i < rows; ++i)
      list[i] = {static_cast<std::ptrdiff_t>(i) * stride, row_bytes};
    const std::ptrdiff_t extents[] = {static_cast<std::ptrdiff_t>(row_bytes), 1,
                                      static_cast<std::ptrdiff_t>(rows) * stride, stride,
                                      number(-120, 120)};
    return blocks(list, extents[size(0, 4)]);
  }

  std::mt19937_64 random_;
};

}  // namespace waybill::test
