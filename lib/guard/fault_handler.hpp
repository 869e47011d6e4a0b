// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The handlers of SIGSEGV and SIGTRAP.

#include "guard/page_guard.hpp"

namespace waybill::guard {

/// Handles faults for one PageGuard, from its constructor to its destructor, which
/// waits for handlers that are at work. One at a time in a process.
///
/// A fault that is not ours is passed on to what the program had installed before.
/// Which faults are ours: access to a mapped page that the books protect. Another
/// thread may have opened the page since the fault; so a fault on a page that is
/// open in the books is tried again as long as pages have been opened meanwhile,
/// and once more.
class FaultHandler {
 public:
  /// Which signals to take: SIGSEGV for pages, SIGTRAP for watchpoints.
  struct Signals {
    bool faults = true;
    bool traps = true;
  };

  FaultHandler(PageGuard& pages, int rank, Signals signals) noexcept;
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;
  ~FaultHandler();

  /// Whether faults still come here first: false once the program has installed a
  /// handler of its own. Takes a system call, 0.1 us.
  [[nodiscard]] bool sees_faults() const noexcept;
  [[nodiscard]] bool sees_traps() const noexcept;
};

}  // namespace waybill::guard
