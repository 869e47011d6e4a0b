// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A program that is run and waited for, without a shell.

#include <string>
#include <vector>

namespace bench {

struct Ending {
  int status = 0;      ///< exit status; 128 + signal if one ended it
  std::string output;  ///< of stdout and stderr together
};

/// Throws std::system_error if it cannot be started. @p command is not empty; its
/// first word is looked for in PATH.
[[nodiscard]] Ending run_child(const std::vector<std::string>& command);

}  // namespace bench
