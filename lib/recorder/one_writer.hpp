// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Lets one thread at a time write a record, without a lock that a signal handler could
/// wait for in vain.

#include <signal.h>

namespace waybill::recorder {

/// While one exists and has the turn, no other thread has it, and signals other than
/// faults wait for its end. Safe in a signal handler.
class OneWriter {
 public:
  /// Waits for another thread for at most 2 s. In a handler that interrupted the thread
  /// that has the turn there is nothing to wait for.
  OneWriter() noexcept;
  OneWriter(const OneWriter&) = delete;
  OneWriter& operator=(const OneWriter&) = delete;
  ~OneWriter();

  [[nodiscard]] bool has_turn() const noexcept { return has_turn_; }
  /// This thread has it, further down on its stack.
  [[nodiscard]] bool interrupted_writer() const noexcept { return interrupted_; }

 private:
  sigset_t before_{};
  bool has_turn_ = false;
  bool interrupted_ = false;
};

}  // namespace waybill::recorder
