// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What rank 0 prints at the end.

#include <optional>
#include <string>
#include <vector>

#include "plan.hpp"

namespace heat {

/// Allowed absolute difference to the serial solution.
inline constexpr double tolerance = 1e-12;

struct Summary {
  Plan plan;
  std::vector<Measurement> measurements;  ///< by rank
  std::optional<double> difference;       ///< to the serial solution, with --verify
  std::string result;                     ///< absolute path
};

/// Several lines of plain ASCII.
[[nodiscard]] std::string text_of(const Summary& summary);

}  // namespace heat
