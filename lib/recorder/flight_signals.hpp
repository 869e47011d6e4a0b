// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Writes a flight record when a signal comes, and then does what the signal did before.

#include <optional>

#include "recorder/alternate_stack.hpp"

namespace waybill::recorder {

/// While one exists, SIGUSR1, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE and SIGILL write
/// a record of the running recorder. One at a time, made and destroyed by one thread,
/// which also gets an alternate stack.
///
/// Earlier handlers are called afterwards, as they asked to be. Where there was none,
/// SIGUSR1 does no more than write; the others end the process as ever. A handler that
/// shall see faults before (to make them harmless) is installed later than this and
/// removed earlier. Of faults that come within a second, which some programs live
/// with, the first is recorded.
class FlightSignals {
 public:
  FlightSignals() noexcept;
  FlightSignals(const FlightSignals&) = delete;
  FlightSignals& operator=(const FlightSignals&) = delete;
  ~FlightSignals();

 private:
  AlternateStack stack_;
};

}  // namespace waybill::recorder
