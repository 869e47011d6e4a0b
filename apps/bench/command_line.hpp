// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From words to Settings. Needs no MPI.

#include <string>

#include "settings.hpp"

namespace bench {

struct CommandLine {
  Settings settings;
  std::string information;  ///< the answer to --help, --version or no argument at all
  std::string refusal;      ///< one line: what is wrong with the arguments and what to do
};

[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace bench
