// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A clock that is cheap to read, and what its ticks are worth.
///
/// clock_gettime() takes some 20 ns and more; where the processor counts at one
/// rate, whatever its frequency (the "invariant" TSC of x86-64), its counter takes
/// a third. Ticks are turned into time only when they are shown.

#include <time.h>

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace waybill::recorder {

/// CLOCK_MONOTONIC, in nanoseconds. May be called in a signal handler.
[[nodiscard]] inline std::uint64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)
[[nodiscard]] inline std::uint64_t counter() noexcept { return __rdtsc(); }
#else
[[nodiscard]] inline std::uint64_t counter() noexcept { return monotonic_ns(); }
#endif

/// Whether counter() counts at one rate on all cores. Asks the processor.
[[nodiscard]] bool counter_is_steady() noexcept;

/// Turns ticks into nanoseconds of CLOCK_MONOTONIC by two moments at which both were
/// read; exact at both.
class TickScale {
 public:
  struct Moment {
    std::uint64_t ticks = 0;
    std::uint64_t nanoseconds = 0;
  };

  TickScale(const Moment& early, const Moment& late) noexcept;

  /// Also of ticks before and after the two.
  [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t ticks) const noexcept;

 private:
  Moment late_;
  double nanoseconds_per_tick_ = 1.0;
};

/// Ticks of one process. May be read in a signal handler.
class Ticks {
 public:
  Ticks() noexcept : by_counter_(counter_is_steady()), start_(moment()) {}

  [[nodiscard]] std::uint64_t now() const noexcept {
    return by_counter_ ? counter() : monotonic_ns();
  }
  [[nodiscard]] TickScale::Moment moment() const noexcept { return {now(), monotonic_ns()}; }
  /// From the start to this moment.
  [[nodiscard]] TickScale scale() const noexcept { return {start_, moment()}; }

 private:
  const bool by_counter_;
  const TickScale::Moment start_;
};

}  // namespace waybill::recorder
