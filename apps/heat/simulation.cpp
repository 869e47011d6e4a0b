// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace heat {

namespace {

using Clock = std::chrono::steady_clock;

// Of each period the first steps are made without overlap. The first step after
// a change is not counted: its waiting still comes from the step before.
constexpr std::size_t period = 50;
constexpr std::size_t plain_steps = 10;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// The median of many durations: a process that loses its core for a moment
/// would rule a mean. Keeps the first million.
class Median {
 public:
  void add(Clock::duration duration) {
    if (seconds_.size() < most) seconds_.push_back(static_cast<float>(seconds(duration)));
  }
  /// nullopt of none.
  [[nodiscard]] std::optional<double> value() {
    if (seconds_.empty()) return std::nullopt;
    const auto middle = seconds_.begin() + static_cast<std::ptrdiff_t>(seconds_.size() / 2);
    std::nth_element(seconds_.begin(), middle, seconds_.end());
    return *middle;
  }

 private:
  static constexpr std::size_t most = 1'000'000;
  std::vector<float> seconds_;
};

/// One step; returns the time spent waiting.
Clock::duration advance(const Plan& plan, HaloExchange& exchange, Field& field, bool overlap) {
  exchange.start(field);
  if (overlap) field.update_interior(plan.alpha);
  const auto begin = Clock::now();
  exchange.finish();
  const auto waited = Clock::now() - begin;
  if (!overlap) field.update_interior(plan.alpha);
  field.update_rim(plan.alpha);
  field.advance();
  return waited;
}

}  // namespace

void run_steps(const Plan& plan, HaloExchange& exchange, Field& field, Progress* progress,
               Measurement& measurement) {
  Median plain;
  Median overlapped;
  const auto begin = Clock::now();
  for (std::size_t step = 0; step < plan.steps; ++step) {
    const std::size_t place = step % period;
    const bool overlap = place >= plain_steps;
    const auto waited = advance(plan, exchange, field, overlap);
    if (place != 0 && place != plain_steps) (overlap ? overlapped : plain).add(waited);
    if (progress != nullptr) progress->reached(step + 1);
  }
  measurement.run_seconds = seconds(Clock::now() - begin);
  measurement.overlapped_waiting_seconds = overlapped.value().value_or(-1);
  measurement.plain_waiting_seconds = plain.value().value_or(-1);
}

}  // namespace heat
