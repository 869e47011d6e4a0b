// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the user asked for. Needs no MPI.

#include <cstddef>
#include <string>

#include "mistake.hpp"

namespace heat {

/// Whether the progress line is shown: `automatic` means on a terminal.
enum class ProgressLine { automatic, always, never };

struct Settings {
  std::string input;
  std::string output = "heat.png";
  std::size_t steps = 300;
  double alpha = 0.2;
  bool verify = false;
  ProgressLine progress = ProgressLine::automatic;
  Mistake mistake = Mistake::none;
};

struct CommandLine {
  Settings settings;
  std::string information;  ///< the answer to --help or --version; nothing else is to be done
  std::string refusal;      ///< one line: what is wrong with the arguments and what to do
};

[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace heat
