// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Runs the test cases of this program.

#include <functional>

namespace test_support {

struct SessionHooks {
  /// Called between test cases once one has failed, so that a process of a
  /// launched test can end the job instead of leaving its peers waiting.
  std::function<void()> after_failure;
  /// Called when a test case hangs, before the process ends with hang_status.
  std::function<void()> before_hang_exit;
};

inline constexpr int hang_status = 124;

/// Runs under a time limit of TEST_SECONDS (environment, default 50); returns
/// the exit status.
int run_session(int argc, char** argv, const SessionHooks& hooks);

}  // namespace test_support
