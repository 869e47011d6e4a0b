// SPDX-License-Identifier: BSD-3-Clause
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heat {

namespace {

std::string speed(const Summary& summary) {
  double longest = 0;
  for (const Measurement& one : summary.measurements) longest = std::max(longest, one.run_seconds);
  if (longest <= 0 || summary.plan.steps == 0) return "none (no steps)";
  return fmt::format("{:.0f}", static_cast<double>(summary.plan.steps) / longest);
}

std::string overlap(const Summary& summary) {
  if (summary.measurements.size() == 1) return "none (one process exchanges nothing)";
  double overlapped = 0;
  double plain = 0;
  for (const Measurement& one : summary.measurements) {
    if (one.overlapped_waiting_seconds < 0) return "not measured (too few steps)";
    overlapped += one.overlapped_waiting_seconds;
    plain += one.plain_waiting_seconds;
  }
  const auto processes = static_cast<double>(summary.measurements.size());
  const double hidden = plain > 0 ? std::max(0.0, 1 - overlapped / plain) : 0.0;
  return fmt::format("{:.0f} % (waiting {:.1f} us a step; {:.1f} us without overlap)", 100 * hidden,
                     1e6 * overlapped / processes, 1e6 * plain / processes);
}

std::string verdict(double difference) {
  if (difference <= tolerance) {
    return fmt::format("max difference to the serial solution {:.1e}", difference);
  }
  return fmt::format("FAILED: max difference to the serial solution {:.1e}, allowed {:.0e}",
                     difference, tolerance);
}

std::string findings(const Summary& summary) {
  std::size_t total = 0;
  std::size_t processes = 0;
  for (const Measurement& one : summary.measurements) {
    total += one.findings;
    if (one.findings > 0) ++processes;
  }
  if (summary.plan.mistake == Mistake::missing_wait) {
    return fmt::format("{} so far; Waybill looks for missing waits at the end, see below", total);
  }
  if (total == 0) return "0";
  return fmt::format("{} in {} of {} processes, see Waybill's report", total, processes,
                     summary.measurements.size());
}

}  // namespace

std::string text_of(const Summary& summary) {
  const Plan& plan = summary.plan;
  const std::size_t processes = summary.measurements.size();
  std::string text = fmt::format(
      "waybill-heat: {} x {} picture, {} process{} as {} x {}, {} steps\n", plan.width, plan.height,
      processes, processes == 1 ? "" : "es", plan.grid.columns, plan.grid.rows, plan.steps);
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<17}  {}\n", label, value);
  };
  line("steps/s", speed(summary));
  line("hidden by overlap", overlap(summary));
  if (summary.difference) line("verified", verdict(*summary.difference));
  line("findings", findings(summary));
  line("result", summary.result);
  return text;
}

}  // namespace heat
