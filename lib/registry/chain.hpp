// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The records of one bucket that access their bytes alike.

#include "registry/levels.hpp"
#include "registry/record.hpp"

namespace waybill::registry {

/// A list of links and a summary of it: the cells that its records touch, of
/// whichever granule. Who touches none of them need not walk the list, so that
/// neighbours in an array cost each other nothing.
///
/// The summary never leaves out a cell. As long as no two records share one, it is
/// exact; from then on it is all cells, until the list is empty.
class Chain {
 public:
  [[nodiscard]] const IndexLink* first() const noexcept { return first_; }
  [[nodiscard]] bool touches(Cells cells) const noexcept { return (touched_ & cells) != 0; }

  void add(IndexLink& link, Cells cells) noexcept {
    touched_ = touches(cells) ? all : touched_ | cells;
    link.next = first_;
    link.previous = &first_;
    if (first_ != nullptr) first_->previous = &link.next;
    first_ = &link;
  }

  /// Calls @p cells() for the cells that add() was told, if they still matter.
  template <class CellsOf>
  void remove(IndexLink& link, const CellsOf& cells) noexcept {
    *link.previous = link.next;
    if (link.next != nullptr) link.next->previous = link.previous;
    link.record = nullptr;
    if (first_ == nullptr) touched_ = 0;
    else if (touched_ != all) touched_ &= ~cells();
  }

 private:
  static constexpr Cells all = ~Cells{0};

  IndexLink* first_ = nullptr;
  Cells touched_ = 0;
};

}  // namespace waybill::registry
