// SPDX-License-Identifier: BSD-3-Clause
#include "stencil.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace heat {

void diffuse(const double* now, double* next, std::size_t stride, const Region& region,
             double alpha) {
  for (std::size_t row = region.row_begin; row < region.row_end; ++row) {
    const double* const here = now + row * stride;
    const double* const above = here - stride;
    const double* const below = here + stride;
    double* __restrict const target = next + row * stride;
    for (std::size_t column = region.column_begin; column < region.column_end; ++column) {
      const double around = (above[column] + below[column]) + (here[column - 1] + here[column + 1]);
      target[column] = here[column] + alpha * (around - 4.0 * here[column]);
    }
  }
}

Picture diffuse_serially(const Picture& picture, std::size_t steps, double alpha) {
  Picture now = picture;
  if (picture.width < 3 || picture.height < 3) return now;  // all border
  Picture next = picture;
  const Region inside{1, picture.height - 1, 1, picture.width - 1};
  for (std::size_t step = 0; step < steps; ++step) {
    diffuse(now.cells.data(), next.cells.data(), picture.width, inside, alpha);
    std::swap(now.cells, next.cells);
  }
  return now;
}

double max_difference(const Picture& left, const Picture& right) {
  double largest = 0;
  for (std::size_t at = 0; at < left.cells.size(); ++at) {
    const double difference = std::abs(left.cells[at] - right.cells[at]);
    if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
    if (difference > largest) largest = difference;
  }
  return largest;
}

}  // namespace heat
