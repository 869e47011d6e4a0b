// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <vector>

#include "stencil.hpp"
#include "support/catch.hpp"

namespace {

using Grid = std::vector<std::vector<double>>;

/// Another way to the same numbers: heat flows through every pair of neighbours.
Grid flow(Grid grid, int steps, double alpha) {
  const std::size_t rows = grid.size();
  const std::size_t columns = grid[0].size();
  for (int step = 0; step < steps; ++step) {
    Grid gained(rows, std::vector<double>(columns, 0));
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const auto exchange = [&](std::size_t other_row, std::size_t other_column) {
          const double heat = alpha * (grid[row][column] - grid[other_row][other_column]);
          gained[row][column] -= heat;
          gained[other_row][other_column] += heat;
        };
        if (row + 1 < rows) exchange(row + 1, column);
        if (column + 1 < columns) exchange(row, column + 1);
      }
    }
    for (std::size_t row = 1; row + 1 < rows; ++row) {
      for (std::size_t column = 1; column + 1 < columns; ++column) {
        grid[row][column] += gained[row][column];
      }
    }
  }
  return grid;
}

heat::Picture pattern(std::size_t width, std::size_t height) {
  heat::Picture picture{width, height, 8, {}};
  for (std::size_t at = 0; at < width * height; ++at) {
    picture.cells.push_back(static_cast<double>(at * 7919 % 256) / 255.0);
  }
  return picture;
}

heat::Picture oracle(const heat::Picture& start, int steps, double alpha) {
  Grid grid;
  for (std::size_t row = 0; row < start.height; ++row) {
    const auto first = start.cells.begin() + static_cast<std::ptrdiff_t>(row * start.width);
    grid.emplace_back(first, first + static_cast<std::ptrdiff_t>(start.width));
  }
  heat::Picture result = start;
  result.cells.clear();
  for (const std::vector<double>& row : flow(grid, steps, alpha)) {
    result.cells.insert(result.cells.end(), row.begin(), row.end());
  }
  return result;
}

}  // namespace

TEST_CASE("stencil: the serial solution is the one of flowing heat") {
  for (const std::size_t width : {1U, 2U, 3U, 4U, 9U, 20U}) {
    for (const std::size_t height : {1U, 2U, 3U, 5U, 13U}) {
      for (const double alpha : {0.01, 0.1, 0.25}) {
        const heat::Picture start = pattern(width, height);
        INFO(width << " x " << height << " alpha " << alpha);
        CHECK(heat::max_difference(heat::diffuse_serially(start, 40, alpha),
                                   oracle(start, 40, alpha)) < 1e-13);
      }
    }
  }
}

TEST_CASE("stencil: no steps change nothing") {
  const heat::Picture start = pattern(6, 5);
  CHECK(heat::diffuse_serially(start, 0, 0.2).cells == start.cells);
}

TEST_CASE("stencil: a linear slope is at rest and the border stays") {
  heat::Picture slope{9, 7, 8, {}};
  for (int row = 0; row < 7; ++row) {
    for (int column = 0; column < 9; ++column) {
      slope.cells.push_back(column / 16.0 + row / 32.0);
    }
  }
  CHECK(heat::max_difference(heat::diffuse_serially(slope, 100, 0.25), slope) < 1e-15);
}

TEST_CASE("stencil: not-a-number is never equal") {
  const heat::Picture good = pattern(3, 3);
  heat::Picture bad = good;
  CHECK(heat::max_difference(good, bad) == 0);
  bad.cells[4] = std::nan("");
  CHECK(std::isinf(heat::max_difference(good, bad)));
}
