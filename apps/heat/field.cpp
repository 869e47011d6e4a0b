// SPDX-License-Identifier: BSD-3-Clause
#include "field.hpp"

#include <algorithm>

namespace heat {

Field::Field(const Block& block, const Neighbours& neighbours)
    : rows_(block.rows),
      columns_(block.columns),
      stride_(block.columns + 2),
      now_((block.rows + 2) * stride_),
      next_(now_.size()) {
  // Cells on the picture's border, where there is no neighbour, are fixed.
  const auto fixed = [&](Side side) -> std::size_t { return neighbours[index(side)] ? 0 : 1; };
  const Region moving{1 + fixed(Side::north), rows_ + 1 - fixed(Side::south), 1 + fixed(Side::west),
                      columns_ + 1 - fixed(Side::east)};
  const auto within = [&](std::size_t row_begin, std::size_t row_end, std::size_t column_begin,
                          std::size_t column_end) {
    return Region{std::max(moving.row_begin, row_begin), std::min(moving.row_end, row_end),
                  std::max(moving.column_begin, column_begin),
                  std::min(moving.column_end, column_end)};
  };
  interior_ = within(2, rows_, 2, columns_);
  rim_[index(Side::north)] = within(1, 2, 1, columns_ + 1);
  rim_[index(Side::south)] = within(std::max<std::size_t>(rows_, 2), rows_ + 1, 1, columns_ + 1);
  rim_[index(Side::west)] = within(2, rows_, 1, 2);
  rim_[index(Side::east)] = within(2, rows_, std::max<std::size_t>(columns_, 2), columns_ + 1);
}

waybill::StridedView<double> Field::own() {
  return waybill::block(now_.data(), stride_, 1, 1, rows_, columns_);
}

waybill::StridedView<double> Field::edge(Side side) { return line(side, 0); }

waybill::StridedView<double> Field::halo(Side side) { return line(side, 1); }

waybill::StridedView<double> Field::line(Side side, std::size_t outwards) {
  double* const first_row = now_.data() + stride_;
  switch (side) {
    case Side::north: return waybill::block(now_.data(), stride_, 1 - outwards, 1, 1, columns_);
    case Side::south: return waybill::block(now_.data(), stride_, rows_ + outwards, 1, 1, columns_);
    case Side::west: return waybill::column(first_row, rows_, stride_, 1 - outwards);
    case Side::east: break;
  }
  return waybill::column(first_row, rows_, stride_, columns_ + outwards);
}

void Field::settle() { next_ = now_; }

void Field::update_interior(double alpha) {
  diffuse(now_.data(), next_.data(), stride_, interior_, alpha);
}

void Field::update_rim(double alpha) {
  for (const Region& strip : rim_) diffuse(now_.data(), next_.data(), stride_, strip, alpha);
}

void Field::advance() { now_.swap(next_); }

}  // namespace heat
