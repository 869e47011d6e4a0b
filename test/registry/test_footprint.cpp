// SPDX-License-Identifier: BSD-3-Clause
#include "registry/footprint.hpp"

#include <cstdint>
#include <limits>

#include "registry/random_buffer.hpp"
#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST_CASE("a contiguous footprint is its bounds") {
  const Footprint made = contiguous_footprint(at(0x1000), 64);
  CHECK(made.shape == Shape::contiguous);
  CHECK(made.begin == 0x1000);
  CHECK(made.end == 0x1040);
}

TEST_CASE("without bytes nothing is watched") {
  CHECK(contiguous_footprint(at(0x1000), 0).shape == Shape::unwatched);
  CHECK(strided_footprint(at(0x1000), 0, 8, 64).shape == Shape::unwatched);
  CHECK(strided_footprint(at(0x1000), 8, 0, 64).shape == Shape::unwatched);
  CHECK(blocks_footprint(at(0x1000), 0, make_block_list({{0, 8}}, 8)).shape == Shape::unwatched);
  CHECK(blocks_footprint(at(0x1000), 2, make_block_list({}, 8)).shape == Shape::unwatched);
  CHECK(blocks_footprint(at(0x1000), 2, nullptr).shape == Shape::unwatched);
}

TEST_CASE("a strided footprint ends with its last row") {
  const Footprint made = strided_footprint(at(0x1000), 10, 8, 64);
  CHECK(made.shape == Shape::strided);
  CHECK(made.end == 0x1000 + 9 * 64 + 8);
}

TEST_CASE("rows without gaps are contiguous") {
  CHECK(strided_footprint(at(0x1000), 10, 64, 64).shape == Shape::contiguous);
  CHECK(strided_footprint(at(0x1000), 10, 64, 64).end == 0x1000 + 640);
  CHECK(strided_footprint(at(0x1000), 1, 8, 64).end == 0x1008);
  CHECK(strided_footprint(at(0x1000), 10, 8, 4).end == 0x1000 + 9 * 4 + 8);
}

TEST_CASE("vector types become strided views") {
  const auto column = make_block_list({{0, 8}, {64, 8}, {128, 8}}, 192);
  SECTION("one element") {
    const Footprint made = blocks_footprint(at(0x1000), 1, column);
    CHECK(made.shape == Shape::strided);
    CHECK(made.count == 3);
    CHECK(made.row_bytes == 8);
    CHECK(made.stride_bytes == 64);
  }
  SECTION("elements that continue the rows downwards") {
    const Footprint made = blocks_footprint(at(0x1000), 4, column);
    CHECK(made.shape == Shape::strided);
    CHECK(made.count == 12);
  }
  SECTION("elements that widen the rows") {
    const auto next_column = make_block_list(column->blocks, 8);
    const Footprint made = blocks_footprint(at(0x1000), 4, next_column);
    CHECK(made.shape == Shape::strided);
    CHECK(made.count == 3);
    CHECK(made.row_bytes == 32);
    CHECK(blocks_footprint(at(0x1000), 8, next_column).shape == Shape::contiguous);
  }
  SECTION("elements with a gap stay a list") {
    CHECK(blocks_footprint(at(0x1000), 2, make_block_list(column->blocks, 200)).shape ==
          Shape::blocks);
  }
}

TEST_CASE("one field of an array of structs is strided") {
  const Footprint made = blocks_footprint(at(0x1000), 5, make_block_list({{8, 4}}, 24));
  CHECK(made.shape == Shape::strided);
  CHECK(made.begin == 0x1008);
  CHECK(made.stride_bytes == 24);
}

TEST_CASE("elements may run backwards") {
  const auto list = make_block_list({{0, 4}, {10, 4}, {16, 4}}, -32);
  const Footprint made = blocks_footprint(at(0x1000), 3, list);
  CHECK(made.shape == Shape::blocks);
  CHECK(made.begin == 0x1000 - 64);
  CHECK(made.end == 0x1000 + 20);
}

TEST_CASE("absolute addresses as offsets") {
  const auto list = make_block_list({{0x5000, 4}, {0x9000, 8}}, 0);
  const Footprint made = blocks_footprint(nullptr, 1, list);
  CHECK(made.begin == 0x5000);
  CHECK(made.end == 0x9008);
}

TEST_CASE("what does not fit into the address space is not watched") {
  CHECK(contiguous_footprint(at(address_limit - 64), 64).shape == Shape::contiguous);
  CHECK(contiguous_footprint(at(address_limit - 64), 65).shape == Shape::unwatched);
  CHECK(contiguous_footprint(at(huge - 3), 8).shape == Shape::unwatched);
  CHECK(contiguous_footprint(at(0x1000), huge).shape == Shape::unwatched);
  CHECK(strided_footprint(at(0x1000), huge, 8, 64).shape == Shape::unwatched);
  CHECK(strided_footprint(at(0x1000), 2, huge, huge).shape == Shape::unwatched);
  CHECK(strided_footprint(at(0x1000), 2, 8, huge).shape == Shape::unwatched);
  const auto list = make_block_list({{0, 4}, {10, 4}, {16, 4}}, 32);
  CHECK(blocks_footprint(at(0x1000), huge, list).shape == Shape::unwatched);
  CHECK(blocks_footprint(at(huge - 7), 1, list).shape == Shape::unwatched);
  const auto far = std::numeric_limits<std::ptrdiff_t>::max();
  CHECK(blocks_footprint(at(0x1000), 1, make_block_list({{far - 8, 4}}, 0)).shape ==
        Shape::unwatched);
  CHECK(blocks_footprint(at(0x1000), 1, make_block_list({{-far, 4}}, 0)).shape == Shape::unwatched);
  CHECK(blocks_footprint(at(0x1000), 2, make_block_list({{0, 4}, {9, 5}}, -far)).shape ==
        Shape::unwatched);
  CHECK(blocks_footprint(at(0x1000), 2, make_block_list({{0, 4}}, -0x2000)).shape ==
        Shape::unwatched);
}

TEST_CASE("the bounds of random buffers are their first and last bytes") {
  waybill::test::RandomBuffers buffers(11);
  for (int i = 0; i < 20000; ++i) {
    const auto [footprint, touched] = buffers.next();
    INFO("buffer " << i);
    if (touched.none()) {
      REQUIRE(footprint.shape == Shape::unwatched);
      continue;
    }
    std::size_t first = 0;
    while (!touched.test(first)) ++first;
    std::size_t last = touched.size() - 1;
    while (!touched.test(last)) --last;
    REQUIRE(footprint.begin == waybill::test::RandomBuffers::arena + first);
    REQUIRE(footprint.end == waybill::test::RandomBuffers::arena + last + 1);
    if (footprint.shape == Shape::contiguous) REQUIRE(touched.count() == last - first + 1);
  }
}
