// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One explicit step of the heat equation u_t = a (u_xx + u_yy) on a square grid
/// with the five-point Laplacian (forward in time, centred in space).

#include <cstddef>

#include "picture.hpp"

namespace heat {

/// alpha = a dt / dx^2. Stable up to 1/4, where a cell becomes the mean of its neighbours.
inline constexpr double max_alpha = 0.25;

/// Half-open ranges of rows and columns.
struct Region {
  std::size_t row_begin = 0;
  std::size_t row_end = 0;
  std::size_t column_begin = 0;
  std::size_t column_end = 0;

  [[nodiscard]] constexpr bool empty() const noexcept {
    return row_begin >= row_end || column_begin >= column_end;
  }
};

/// Computes the cells of `region` in `next` from `now`; both have rows of
/// `stride` cells, do not overlap and hold a cell on each side of the region.
void diffuse(const double* now, double* next, std::size_t stride, const Region& region,
             double alpha);

/// `steps` steps over the whole picture on one processor. The border keeps its values.
[[nodiscard]] Picture diffuse_serially(const Picture& picture, std::size_t steps, double alpha);

/// The largest absolute difference of two cells; pictures of one size.
[[nodiscard]] double max_difference(const Picture& left, const Picture& right);

}  // namespace heat
