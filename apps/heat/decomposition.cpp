// SPDX-License-Identifier: BSD-3-Clause
#include "decomposition.hpp"

namespace heat {

namespace {

/// Where part number `part` of `parts` begins in `length` cells.
std::size_t begin_of(int part, int parts, std::size_t length) {
  const auto wide_part = static_cast<std::size_t>(part);
  const auto wide_parts = static_cast<std::size_t>(parts);
  return length / wide_parts * wide_part + length % wide_parts * wide_part / wide_parts;
}

}  // namespace

std::optional<ProcessGrid> process_grid(int processes, std::size_t width, std::size_t height) {
  std::optional<ProcessGrid> best;
  std::size_t best_border = 0;
  for (int rows = 1; rows <= processes; ++rows) {
    if (processes % rows != 0) continue;
    const int columns = processes / rows;
    const auto cuts_across = static_cast<std::size_t>(rows - 1);
    const auto cuts_down = static_cast<std::size_t>(columns - 1);
    if (cuts_across >= height || cuts_down >= width) continue;
    const std::size_t border = cuts_across * width + cuts_down * height;
    if (!best || border < best_border) {
      best = ProcessGrid{columns, rows};
      best_border = border;
    }
  }
  return best;
}

Block block_of(int rank, const ProcessGrid& grid, std::size_t width, std::size_t height) {
  const int grid_row = rank / grid.columns;
  const int grid_column = rank % grid.columns;
  Block block;
  block.row = begin_of(grid_row, grid.rows, height);
  block.column = begin_of(grid_column, grid.columns, width);
  block.rows = begin_of(grid_row + 1, grid.rows, height) - block.row;
  block.columns = begin_of(grid_column + 1, grid.columns, width) - block.column;
  return block;
}

Neighbours neighbours_of(int rank, const ProcessGrid& grid) {
  const int grid_row = rank / grid.columns;
  const int grid_column = rank % grid.columns;
  Neighbours neighbours;
  if (grid_row > 0) neighbours[index(Side::north)] = rank - grid.columns;
  if (grid_row + 1 < grid.rows) neighbours[index(Side::south)] = rank + grid.columns;
  if (grid_column > 0) neighbours[index(Side::west)] = rank - 1;
  if (grid_column + 1 < grid.columns) neighbours[index(Side::east)] = rank + 1;
  return neighbours;
}

}  // namespace heat
