// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One touch of a buffer in flight: the facts, and the finding made of them.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "guard/fault_context.hpp"
#include "guard/stack_trace.hpp"
#include "registry/record.hpp"

namespace waybill::guard {

/// Plain data, filled in by a signal handler.
struct Touch {
  std::uintptr_t address = 0;
  std::uintptr_t stack_pointer = 0;  ///< of the thread, 0 where it is not known
  StackTrace trace;
  pid_t thread = 0;
  Touching touching = Touching::unknown;
  bool at_watchpoint = false;  ///< seen by a watchpoint, else by a page's protection
};

/// `send-buffer-modified` or `recv-buffer-touched`; `buffer-lifetime` if the
/// touching thread's stack has grown over the buffer, whose function has returned.
Finding finding_of(int rank, const registry::Record& record, const Touch& touch);

/// For a process that is about to die in a signal handler: one line without names
/// of functions, written to @p descriptor. Signal-safe.
void write_briefly(int descriptor, int rank, const registry::Record& record,
                   const Touch& touch) noexcept;

}  // namespace waybill::guard
