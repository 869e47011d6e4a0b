// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One operation under guard.

#include <array>
#include <cstddef>
#include <cstdint>

#include "guard/page_counts.hpp"
#include "guard/touch.hpp"
#include "registry/record.hpp"

namespace waybill::guard {

struct WatchedEdge;

/// Lives in the books of a PageGuard, whose lock guards all but what never changes
/// between enter() and leave(): record, pages and serial.
struct Guarded {
  registry::Record record;  ///< a copy
  Pages pages;              ///< protected; empty if none
  std::uint64_t serial = 0;
  Guarded* previous = nullptr;
  Guarded* next = nullptr;
  WatchedEdge* edges = nullptr;  ///< armed watchpoints
  bool touched = false;          ///< nothing is watched any more, and touch tells why
  Touch touch;
};

}  // namespace waybill::guard
