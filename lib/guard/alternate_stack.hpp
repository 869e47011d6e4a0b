// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A second stack for signal handlers, since the pages that a fault is about may
/// be on the first.

#include <cstddef>

namespace waybill::guard {

/// Gives the calling thread one, unless it has one; it goes with the thread.
/// Without memory the thread stays without.
void ensure_alternate_stack() noexcept;

/// Room that the calling thread's signal handler has to run in: that of the
/// alternate stack it is on, else the most there is. Signal-safe.
std::size_t handler_stack_bytes() noexcept;

}  // namespace waybill::guard
