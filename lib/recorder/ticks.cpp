// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/ticks.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace waybill::recorder {

#if defined(__x86_64__)
bool counter_is_steady() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  // leaf 8000'0007h, EDX bit 8: the counter is invariant (Intel SDM volume 3, section 18.17.1)
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}
#else
bool counter_is_steady() noexcept { return false; }
#endif

TickScale::TickScale(const Moment& early, const Moment& late) noexcept : late_(late) {
  if (late.ticks <= early.ticks || late.nanoseconds <= early.nanoseconds) return;
  nanoseconds_per_tick_ = static_cast<double>(late.nanoseconds - early.nanoseconds) /
                          static_cast<double>(late.ticks - early.ticks);
}

std::uint64_t TickScale::nanoseconds(std::uint64_t ticks) const noexcept {
  // From the late moment, since the last events are the interesting ones.
  const auto distance = static_cast<double>(static_cast<std::int64_t>(ticks - late_.ticks));
  const double time = distance * nanoseconds_per_tick_;
  return late_.nanoseconds + static_cast<std::uint64_t>(static_cast<std::int64_t>(time));
}

}  // namespace waybill::recorder
