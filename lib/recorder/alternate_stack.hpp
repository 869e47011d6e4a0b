// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A stack for signal handlers, so that a stack overflow can still be told.

#include <cstddef>

namespace waybill::recorder {

/// Gives the calling thread an alternate stack (sigaltstack(2)) unless it has one.
/// Destroy it on the same thread: it then takes its own back, if it is still there.
class AlternateStack {
 public:
  static constexpr std::size_t bytes = 65536;

  AlternateStack() noexcept;
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;
  ~AlternateStack();

  [[nodiscard]] bool is_ours() const noexcept { return memory_ != nullptr; }

 private:
  void* memory_ = nullptr;
};

}  // namespace waybill::recorder
