// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A place for one thread to sleep until somebody has work for it.
///
/// Protocol against a lost wake-up. The sleeper announces itself, then looks
/// for work once more, then sleeps; the caller publishes work, then looks for a
/// sleeper. Both sides put a fence between their two steps, so that at least one
/// of them sees the other: the sleeper's in announce() is the heavy half, the
/// caller's in look_for_sleeper() the light one, which costs nothing. Where the
/// kernel has no such fences, the word says so for ever and sends every caller
/// through call(), which has a full one. Waking costs a system call, and only
/// when somebody sleeps.

#include <atomic>
#include <chrono>
#include <cstdint>

#include "engine/fence.hpp"

namespace waybill::engine {

class Parking {
 public:
  /// @p unequal_fence is a parameter for tests.
  explicit Parking(bool unequal_fence = has_unequal_fence()) noexcept
      : word_(unequal_fence ? 0 : callers_fence) {}

  /// Sleeper: from now on a caller will wake me.
  void announce() noexcept;
  /// Sleeper: I found work after all.
  void withdraw() noexcept;
  /// Sleeper, after announce(): sleeps until woken, or at most this long.
  void sleep() noexcept;
  void sleep_for(std::chrono::nanoseconds limit) noexcept;

  /// Caller, after it has published work: wakes the sleeper if there is one.
  void look_for_sleeper() noexcept {
    light_fence();
    if (word_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      call();
  }
  /// The same without hurry.
  void wake() noexcept;

 private:
  void call() noexcept;

  static constexpr std::uint32_t announced = 1;
  static constexpr std::uint32_t callers_fence = 2;

  std::atomic<std::uint32_t> word_;
};

}  // namespace waybill::engine
