// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "decomposition.hpp"
#include "support/catch.hpp"

using heat::Block;
using heat::ProcessGrid;
using heat::Side;

namespace {

/// How often each cell is owned.
std::vector<int> owners(int processes, const ProcessGrid& grid, std::size_t width,
                        std::size_t height) {
  std::vector<int> count(width * height, 0);
  for (int rank = 0; rank < processes; ++rank) {
    const Block block = heat::block_of(rank, grid, width, height);
    for (std::size_t row = block.row; row < block.row + block.rows; ++row) {
      for (std::size_t column = block.column; column < block.column + block.columns; ++column) {
        ++count.at(row * width + column);
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("decomposition: every cell has exactly one owner and nobody is idle") {
  for (const std::size_t width : {1U, 2U, 3U, 7U, 16U, 31U, 64U}) {
    for (const std::size_t height : {1U, 2U, 5U, 12U, 29U}) {
      for (int processes = 1; processes <= 40; ++processes) {
        const auto grid = heat::process_grid(processes, width, height);
        if (!grid) continue;
        INFO(width << " x " << height << " on " << processes);
        CHECK(grid->rows * grid->columns == processes);
        const std::vector<int> count = owners(processes, *grid, width, height);
        CHECK(std::all_of(count.begin(), count.end(), [](int owned) { return owned == 1; }));
        for (int rank = 0; rank < processes; ++rank) {
          const Block block = heat::block_of(rank, *grid, width, height);
          if (block.rows == 0 || block.columns == 0) FAIL("rank " << rank << " owns nothing");
        }
      }
    }
  }
}

TEST_CASE("decomposition: there is a grid whenever one fits") {
  for (std::size_t width = 1; width <= 9; ++width) {
    for (std::size_t height = 1; height <= 9; ++height) {
      for (int processes = 1; processes <= 90; ++processes) {
        bool fits = false;
        for (int rows = 1; rows <= 9; ++rows) {
          if (processes % rows != 0) continue;
          const auto columns = static_cast<std::size_t>(processes / rows);
          fits = fits || (static_cast<std::size_t>(rows) <= height && columns <= width);
        }
        INFO(width << " x " << height << " on " << processes);
        CHECK(heat::process_grid(processes, width, height).has_value() == fits);
      }
    }
  }
}

TEST_CASE("decomposition: the grid follows the picture's shape") {
  const auto square = heat::process_grid(4, 768, 512);
  REQUIRE(square);
  CHECK(square->columns == 2);
  CHECK(square->rows == 2);
  const auto wide = heat::process_grid(4, 10000, 10);
  REQUIRE(wide);
  CHECK(wide->columns == 4);
  const auto tall = heat::process_grid(7, 10, 10000);
  REQUIRE(tall);
  CHECK(tall->rows == 7);
  CHECK_FALSE(heat::process_grid(7, 6, 6));
}

TEST_CASE("decomposition: blocks differ by at most one row and one column") {
  const ProcessGrid grid{5, 3};
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
  for (int rank = 0; rank < 15; ++rank) {
    const Block block = heat::block_of(rank, grid, 98, 50);
    rows.push_back(block.rows);
    columns.push_back(block.columns);
  }
  const auto [fewest_rows, most_rows] = std::minmax_element(rows.begin(), rows.end());
  const auto [fewest_columns, most_columns] = std::minmax_element(columns.begin(), columns.end());
  CHECK(*most_rows - *fewest_rows <= 1);
  CHECK(*most_columns - *fewest_columns <= 1);
}

TEST_CASE("decomposition: neighbours see each other across a common border") {
  const ProcessGrid grid{4, 3};
  for (int rank = 0; rank < 12; ++rank) {
    const heat::Neighbours neighbours = heat::neighbours_of(rank, grid);
    const Block mine = heat::block_of(rank, grid, 41, 23);
    for (const Side side : heat::sides) {
      const auto other = neighbours[heat::index(side)];
      if (!other) continue;
      CHECK(heat::neighbours_of(*other, grid)[heat::index(heat::opposite(side))] == rank);
      const Block theirs = heat::block_of(*other, grid, 41, 23);
      if (side == Side::north) CHECK(theirs.row + theirs.rows == mine.row);
      if (side == Side::east) CHECK(mine.column + mine.columns == theirs.column);
      const bool same_length = side == Side::north || side == Side::south
                                   ? theirs.columns == mine.columns
                                   : theirs.rows == mine.rows;
      CHECK(same_length);
    }
    CHECK(neighbours[heat::index(Side::north)].has_value() == (mine.row > 0));
    CHECK(neighbours[heat::index(Side::east)].has_value() == (mine.column + mine.columns < 41));
  }
}
