// SPDX-License-Identifier: BSD-3-Clause
#include "registry/overlap.hpp"

#include <chrono>
#include <cstdint>

#include "registry/footprint.hpp"
#include "registry/random_buffer.hpp"
#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

}  // namespace

TEST_CASE("overlap agrees with counting bytes") {
  waybill::test::RandomBuffers buffers(7);
  int together = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto one = buffers.next();
    const auto other = buffers.next();
    const bool expected = (one.touched & other.touched).any();
    const auto found = shared_byte(one.footprint, other.footprint);
    INFO("pair " << i);
    REQUIRE(found.has_value() == expected);
    REQUIRE(overlaps(other.footprint, one.footprint) == expected);
    if (!found) continue;
    ++together;
    const std::size_t byte = *found - waybill::test::RandomBuffers::arena;
    REQUIRE(one.touched.test(byte));
    REQUIRE(other.touched.test(byte));
  }
  CHECK(together > 20000);
  CHECK(together < 80000);
}

TEST_CASE("adjacent ranges do not meet") {
  const Footprint one = contiguous_footprint(at(0x1000), 64);
  CHECK_FALSE(overlaps(one, contiguous_footprint(at(0x1040), 64)));
  CHECK_FALSE(overlaps(one, contiguous_footprint(at(0xfc0), 64)));
  CHECK(shared_byte(one, contiguous_footprint(at(0x103f), 64)) == 0x103f);
  CHECK(shared_byte(one, contiguous_footprint(at(0xfc1), 64)) == 0x1000);
}

TEST_CASE("nothing overlaps what is not watched") {
  CHECK_FALSE(overlaps(Footprint(), contiguous_footprint(at(0), 64)));
  CHECK_FALSE(overlaps(contiguous_footprint(at(0), 64), Footprint()));
}

TEST_CASE("at the end of the address space") {
  const Footprint last = contiguous_footprint(at(address_limit - 8), 8);
  const Footprint all = contiguous_footprint(at(0), address_limit);
  const Footprint ends = strided_footprint(at(0), 2, 8, address_limit - 8);
  CHECK(overlaps(last, all));
  CHECK(overlaps(last, ends));
  CHECK_FALSE(overlaps(ends, contiguous_footprint(at(8), address_limit - 16)));
  CHECK_FALSE(overlaps(ends, strided_footprint(at(8), 2, 8, address_limit - 24)));
  const auto list =
      make_block_list({{0, 8}, {16, 4}, {64, 8}}, -static_cast<std::ptrdiff_t>(address_limit / 2));
  const Footprint downwards = blocks_footprint(at(address_limit - 72), 2, list);
  CHECK(downwards.shape == Shape::blocks);
  CHECK(overlaps(downwards, last));
  CHECK_FALSE(overlaps(downwards, contiguous_footprint(at(address_limit - 64), 8)));
}

TEST_CASE("two columns of one matrix do not meet") {
  constexpr std::size_t rows = 1000;
  constexpr std::size_t width = 1000 * sizeof(double);
  const auto column = [](std::size_t number) {
    return strided_footprint(at(0x100000 + number * sizeof(double)), rows, sizeof(double), width);
  };
  CHECK_FALSE(overlaps(column(0), column(1)));
  CHECK_FALSE(overlaps(column(0), column(999)));
  CHECK(overlaps(column(5), column(5)));
  const Footprint row = contiguous_footprint(at(0x100000 + 7 * width), width);
  CHECK(shared_byte(row, column(3)) == 0x100000 + 7 * width + 3 * sizeof(double));
}

// Each of these would take minutes if every row, block or element met every other.
TEST_CASE("large shapes are compared without looking at all pairs") {
  const std::size_t many = 1000000;
  const auto start = std::chrono::steady_clock::now();

  const Footprint column = strided_footprint(at(0x10000000), many, 8, 4096);
  CHECK_FALSE(overlaps(column, strided_footprint(at(0x10000008), many, 8, 4096)));
  CHECK_FALSE(overlaps(column, strided_footprint(at(0x10000000 + 64), many / 2, 8, 8192)));
  CHECK(overlaps(column, strided_footprint(at(0x10000000 + 64), many, 8, 4096 + 8)));

  std::vector<BlockList::Block> even;
  std::vector<BlockList::Block> odd;
  for (std::ptrdiff_t i = 0; i < 200000; ++i) {
    even.push_back({i * 32 + i % 3, 8});
    odd.push_back({i * 32 + 16 + i % 5, 8});
  }
  const std::ptrdiff_t extent = 200000 * 32;
  const auto evens = make_block_list(even, extent);
  const auto odds = make_block_list(odd, extent);
  CHECK_FALSE(overlaps(blocks_footprint(at(0x10000000), 1, evens),
                       blocks_footprint(at(0x10000000), 1, odds)));
  CHECK_FALSE(overlaps(blocks_footprint(at(0x10000000), many, evens),
                       blocks_footprint(at(0x10000000), many, odds)));

  const auto fields = make_block_list({{0, 8}, {24, 4}}, 64);
  const auto others = make_block_list({{8, 16}, {28, 4}, {40, 24}}, 64);
  CHECK_FALSE(overlaps(blocks_footprint(at(0x10000000), many, fields),
                       blocks_footprint(at(0x10000000 + 640), many, others)));

  const auto far_apart = make_block_list({{0, 8}, {1L << 32, 8}}, 0);
  CHECK_FALSE(overlaps(blocks_footprint(at(0x10000000 - 64), 1, far_apart), column));

  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}
