// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the processes tell each other besides cells. All of it may be sent as bytes.

#include <cstddef>

#include "decomposition.hpp"
#include "mistake.hpp"

namespace heat {

/// Exit status of every process.
enum class Outcome : int { done = 0, wrong_result = 1, refused = 2 };

/// All that the other ranks need to know before the first exchange.
struct Plan {
  Outcome outcome = Outcome::done;  ///< anything else: stop here
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t steps = 0;
  double alpha = 0;
  ProcessGrid grid;
  Mistake mistake = Mistake::none;
};

/// What a process measured. The waiting is the median of a step's; below 0
/// where there were no such steps.
struct Measurement {
  double run_seconds = 0;
  double overlapped_waiting_seconds = -1;
  double plain_waiting_seconds = -1;  ///< in a step without overlap
  std::size_t findings = 0;
};

}  // namespace heat
