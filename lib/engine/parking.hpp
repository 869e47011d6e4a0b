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
///
/// A sleep of limited length can also be ended from another process, if the word
/// lies in memory that both share: see Door.

#include <atomic>
#include <chrono>
#include <cstdint>

#include "fence/fence.hpp"

namespace waybill::engine {

class Parking {
 public:
  using Word = std::atomic<std::uint32_t>;

  /// @p word outlives this object. @p unequal_fence is a parameter for tests.
  explicit Parking(Word& word, bool unequal_fence = fence::has_unequal_fence()) noexcept
      : word_(word) {
    word_.store(unequal_fence ? 0 : callers_fence, std::memory_order_relaxed);
  }
  Parking(const Parking&) = delete;
  Parking& operator=(const Parking&) = delete;
  ~Parking() = default;

  /// Sleeper: from now on a caller will wake me.
  void announce() noexcept;
  /// Sleeper: I found work after all.
  void withdraw() noexcept;
  /// Sleeper, after announce(): sleeps until woken, or at most this long. The
  /// limited one returns whether it was ended by a knock.
  void sleep() noexcept;
  bool sleep_for(std::chrono::nanoseconds limit) noexcept;
  /// Sleeper, not announced: callers let it sleep, a knock does not. True if one came.
  /// May end early, by the late wake-up of a knock at the nap before.
  bool nap(std::chrono::nanoseconds limit) noexcept;

  /// Caller, after it has published work: wakes the sleeper if there is one.
  void look_for_sleeper() noexcept {
    fence::light_fence();
    if ((word_.load(std::memory_order_relaxed) & (announced | callers_fence)) != 0) [[unlikely]]
      call();
  }
  /// The same without hurry.
  void wake() noexcept;

  /// Caller: ends a nap, if there is one.
  void end_nap() noexcept { knock(word_); }

  /// From any process: whether somebody sleeps who can be woken by a knock, and
  /// that knock; false if another was faster.
  [[nodiscard]] static bool is_open(const Word& word) noexcept {
    return (word.load(std::memory_order_relaxed) & open) != 0;
  }
  static bool knock(Word& word) noexcept;

 private:
  void call() noexcept;
  /// Sleeps with an open door as long as the flags in @p while_set are set.
  bool sleep_open(std::uint32_t while_set, std::chrono::nanoseconds limit) noexcept;

  static constexpr std::uint32_t announced = 1;
  static constexpr std::uint32_t callers_fence = 2;
  static constexpr std::uint32_t open = 4;

  Word& word_;
};

}  // namespace waybill::engine
