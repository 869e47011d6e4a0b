// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One process's block of the picture, with a rim of foreign cells around it.

#include <array>
#include <cstddef>
#include <vector>

#include "decomposition.hpp"
#include "stencil.hpp"
#include "waybill/buffer.hpp"

namespace heat {

/// Two copies of (rows + 2) x (columns + 2) cells: `now` is read and exchanged,
/// `next` is computed. Own cells are rows 1 to rows, columns 1 to columns; the
/// cells around them, the halo, belong to the neighbours. Corners of the halo
/// are never used.
class Field {
 public:
  Field(const Block& block, const Neighbours& neighbours);

  /// Where the own cells lie in `now`.
  [[nodiscard]] waybill::StridedView<double> own();
  /// The own cells along a side, which the neighbour there needs: a contiguous
  /// row, or a column with a stride.
  [[nodiscard]] waybill::StridedView<double> edge(Side side);
  /// The neighbour's cells beyond a side.
  [[nodiscard]] waybill::StridedView<double> halo(Side side);

  /// Makes `next` equal to `now`: once, so that fixed cells are in both.
  void settle();
  /// Computes the cells that need no halo.
  void update_interior(double alpha);
  /// Computes the others; the halo of `now` must be there.
  void update_rim(double alpha);
  /// `next` becomes `now`.
  void advance();

  [[nodiscard]] const Region& interior() const noexcept { return interior_; }
  [[nodiscard]] const std::array<Region, 4>& rim() const noexcept { return rim_; }

 private:
  [[nodiscard]] waybill::StridedView<double> line(Side side, std::size_t outwards);

  std::size_t rows_;
  std::size_t columns_;
  std::size_t stride_;
  std::vector<double> now_;
  std::vector<double> next_;
  Region interior_;
  std::array<Region, 4> rim_;
};

}  // namespace heat
