// SPDX-License-Identifier: BSD-3-Clause
#include "engine/waiting.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <utility>

namespace waybill::engine {

namespace {

constexpr std::uint64_t microsecond = 1'000;
constexpr std::uint64_t millisecond = 1'000'000;
/// Another program may be waiting for this core even if no sign says so.
constexpr std::uint64_t spin_alone = 200 * microsecond;
constexpr std::uint64_t nap_after = 100 * millisecond;
/// After so long the neighbour is looked at; later on whenever the wait has lasted
/// twice as long. With more processes than cores, who does not answer is usually
/// not running.
constexpr std::uint64_t first_visit = 20 * microsecond;
constexpr std::uint64_t first_visit_oversubscribed = 2 * millisecond;
/// The longer the wait, the fewer the knocks.
constexpr std::uint64_t knock_spacing = 4;
/// 64 looks that took longer than this moved something, or yielded to somebody.
constexpr std::uint64_t busy_looks = 64 * microsecond;

}  // namespace

bool Waiting::crowded() const noexcept {
  const EngineOptions& options = engine_.options();
  if (options.wait != WaitMode::automatic) return options.wait == WaitMode::yield;
  return options.oversubscribed || sum_activity().inside > options.waiters_per_process;
}

void Waiting::take_stock(std::chrono::steady_clock::time_point deadline) noexcept {
  engine_.assist();
  if (crowded_ && looks_ % 64 != 0) {
    sched_yield();
    return;
  }
  const std::uint64_t now = now_ns();
  plan_visits(now);
  if (last_stock_ == 0 || (!crowded_ && now - last_stock_ > busy_looks)) quiet_since_ = now;
  crowded_ = crowded();
  const std::uint64_t quiet = now - quiet_since_;
  last_stock_ = now;
  if (engine_.options().wait == WaitMode::spin) return;
  if (quiet > nap_after) {
    // one per mille of the time waited so far, at most 1 ms
    std::uint64_t nap = std::min(quiet / 1000, millisecond);
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left < std::chrono::nanoseconds(nap)) {
      nap = left.count() > 0 ? static_cast<std::uint64_t>(left.count()) : 0;
    }
    const timespec time{0, static_cast<long>(nap)};
    nanosleep(&time, nullptr);
  } else if (crowded_ || quiet > spin_alone) {
    sched_yield();
  } else {
    return;
  }
  last_stock_ = now_ns();  // a nap is no news
}

void Waiting::plan_visits(std::uint64_t now) noexcept {
  if (begun_ == 0) {
    begun_ = now;
    next_visit_ =
        now + (engine_.options().oversubscribed ? first_visit_oversubscribed : first_visit);
    return;
  }
  if (!visits_due_) {
    visits_due_ = now >= next_visit_;
    return;
  }
  visits_due_ = false;
  const std::uint64_t waited = now - begun_;
  next_visit_ = now + waited;
  if (std::exchange(knocked_, false)) next_knock_ = now + (knock_spacing - 1) * waited;
}

void Waiting::visit(Door* neighbour) noexcept {
  if (neighbour == nullptr || knocked_ || last_stock_ < next_knock_) return;
  knocked_ = neighbour->knock();
}

}  // namespace waybill::engine
