// SPDX-License-Identifier: BSD-3-Clause
#include "registry/block_list.hpp"

#include "support/catch.hpp"

using namespace waybill::registry;

TEST_CASE("blocks are sorted, joined where they touch, and empty ones go") {
  const auto list = make_block_list({{40, 4}, {0, 8}, {8, 8}, {20, 0}, {12, 6}, {13, 1}}, 64);
  REQUIRE(list->blocks.size() == 2);
  CHECK(list->blocks[0].offset == 0);
  CHECK(list->blocks[0].bytes == 18);
  CHECK(list->blocks[1].offset == 40);
  CHECK(list->blocks[1].bytes == 4);
  CHECK(list->extent_bytes == 64);
}

TEST_CASE("only equal blocks at equal distances have a stride") {
  CHECK(make_block_list({{0, 4}, {10, 4}, {20, 4}}, 30)->stride_bytes == 10);
  CHECK(make_block_list({{20, 4}, {-10, 4}, {5, 4}}, 30)->stride_bytes == 15);
  CHECK(make_block_list({{0, 4}, {10, 4}, {21, 4}}, 30)->stride_bytes == 0);
  CHECK(make_block_list({{0, 4}, {10, 5}}, 30)->stride_bytes == 0);
  CHECK(make_block_list({{0, 4}}, 30)->stride_bytes == 0);
  CHECK(make_block_list({}, 30)->stride_bytes == 0);
}
