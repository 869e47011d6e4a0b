// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Runs a function in a child process that may die.

#include <functional>
#include <string>

namespace waybill::test {

struct ChildEnd {
  bool exited = false;
  int status = 0;  ///< of its exit
  int signal = 0;  ///< that killed it
  std::string stderr_text;
};

/// @p run returns the exit status. The child leaves with _exit, and with signal
/// dispositions of its own: it begins with the default of SIGSEGV, SIGTRAP and SIGBUS.
ChildEnd run_in_child(const std::function<int()>& run);

}  // namespace waybill::test
