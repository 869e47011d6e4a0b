// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include <chrono>

namespace heat {

namespace {

using Clock = std::chrono::steady_clock;

// Of each period the first steps are made without overlap. The first step after
// a change is not counted: its waiting still comes from the step before.
constexpr std::size_t period = 50;
constexpr std::size_t plain_steps = 10;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

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
  Clock::duration waited_plain{};
  Clock::duration waited_overlapped{};
  const auto begin = Clock::now();
  for (std::size_t step = 0; step < plan.steps; ++step) {
    const std::size_t place = step % period;
    const bool overlap = place >= plain_steps;
    const auto waited = advance(plan, exchange, field, overlap);
    if (place != 0 && place != plain_steps) {
      (overlap ? waited_overlapped : waited_plain) += waited;
      ++(overlap ? measurement.overlapped_steps : measurement.plain_steps);
    }
    if (progress != nullptr) progress->reached(step + 1);
  }
  measurement.run_seconds = seconds(Clock::now() - begin);
  measurement.overlapped_waiting_seconds = seconds(waited_overlapped);
  measurement.plain_waiting_seconds = seconds(waited_plain);
}

}  // namespace heat
