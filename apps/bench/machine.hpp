// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Facts of the machine that a run's numbers depend on. Linux.

#include <cstdint>
#include <optional>
#include <string>

namespace bench {

struct Machine {
  std::string host;
  std::string cpu;  ///< as /proc/cpuinfo names it; "unknown" if it doesn't
  std::size_t cores_online = 0;
  std::size_t cores_allowed = 0;  ///< to this process when it started
  std::string kernel;
  std::uint64_t memory_bytes = 0;
  std::optional<double> load_at_start;  ///< average over the last minute
  std::optional<double> load_at_end;
};

/// With load_at_start.
[[nodiscard]] Machine this_machine();
[[nodiscard]] std::optional<double> load_average();
/// Now: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_date();

}  // namespace bench
