// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which process owns which cells, and who its neighbours are.

#include <array>
#include <cstddef>
#include <optional>

namespace heat {

enum class Side { north, south, west, east };
inline constexpr std::array<Side, 4> sides{Side::north, Side::south, Side::west, Side::east};
inline constexpr std::size_t index(Side side) noexcept { return static_cast<std::size_t>(side); }
inline constexpr Side opposite(Side side) noexcept {
  constexpr std::array<Side, 4> other{Side::south, Side::north, Side::east, Side::west};
  return other[index(side)];
}

/// Processes side by side and above each other; ranks count along rows.
struct ProcessGrid {
  int columns = 1;
  int rows = 1;
};

/// The grid of exactly `processes` processes with the shortest common border, in
/// which everybody owns at least one cell; nullopt if there is none.
[[nodiscard]] std::optional<ProcessGrid> process_grid(int processes, std::size_t width,
                                                      std::size_t height);

/// The cells of one process, in the picture's coordinates.
struct Block {
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Sizes differ by at most one row and one column.
[[nodiscard]] Block block_of(int rank, const ProcessGrid& grid, std::size_t width,
                             std::size_t height);

/// nullopt where the picture ends.
using Neighbours = std::array<std::optional<int>, 4>;
[[nodiscard]] Neighbours neighbours_of(int rank, const ProcessGrid& grid);

}  // namespace heat
