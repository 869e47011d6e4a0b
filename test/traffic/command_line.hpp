// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the program is asked to do.

#include <cstdint>
#include <optional>

#include "plan.hpp"

namespace traffic {

struct CommandLine {
  std::uint64_t first = 1;
  std::uint64_t last = 20;
  bool mutants = false;
  bool verbose = false;
  bool show = false;          ///< the plans, without running them
  double limit_seconds = 60;  ///< for one plan
  std::uint64_t plans_per_runtime = 25;
  Size size;
};

extern const char* const usage;

/// Nothing if it cannot be understood.
std::optional<CommandLine> parse(int argc, char** argv);

}  // namespace traffic
