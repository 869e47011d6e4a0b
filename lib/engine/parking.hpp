// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A place for one thread to sleep until somebody has work for it.
///
/// Protocol against a lost wake-up. The sleeper announces itself, then looks
/// for work once more, then sleeps; the caller publishes work, then looks for a
/// sleeper. Both sides put a sequentially consistent fence between their two
/// steps, so that at least one of them sees the other (the sleeper's fence is in
/// announce(), the caller's in Engine::posted()). Waking costs a system call, and
/// only when somebody sleeps.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace waybill::engine {

class Parking {
 public:
  /// Sleeper: from now on a caller will wake me.
  void announce() noexcept;
  /// Sleeper: I found work after all.
  void withdraw() noexcept;
  /// Sleeper, after announce(): sleeps until wake(), or at most this long.
  void sleep() noexcept;
  void sleep_for(std::chrono::nanoseconds limit) noexcept;

  /// Caller: whether to call wake(), after a seq_cst fence.
  [[nodiscard]] bool occupied() const noexcept {
    return word_.load(std::memory_order_relaxed) != 0;
  }
  void wake() noexcept;

 private:
  std::atomic<std::uint32_t> word_{0};  // 1: announced
};

}  // namespace waybill::engine
