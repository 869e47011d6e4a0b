// SPDX-License-Identifier: BSD-3-Clause
#define CATCH_CONFIG_RUNNER
#include "support/catch_session.hpp"

#include <cstdlib>
#include <iostream>

#include "support/catch.hpp"
#include "support/hang_guard.hpp"

namespace test_support {

namespace {

struct Running {
  const SessionHooks& hooks;
  HangGuard& guard;
  bool failed = false;
};

Running* running = nullptr;  // listeners are made by Catch2 and get no arguments

class CaseWatcher : public Catch::TEST_LISTENER_BASE {
 public:
  using TEST_LISTENER_BASE::TEST_LISTENER_BASE;

  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    if (running == nullptr) return;
    running->guard.enter(test.name);
    if (running->failed && running->hooks.after_failure) {
      std::cout.flush();
      running->hooks.after_failure();
    }
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (running == nullptr) return;
    running->failed = running->failed || !stats.totals.assertions.allOk();
  }
};

CATCH_REGISTER_LISTENER(CaseWatcher)

double time_limit() {
  const char* const seconds = std::getenv("TEST_SECONDS");
  const double limit = seconds == nullptr ? 0.0 : std::atof(seconds);
  return limit > 0.0 ? limit : 50.0;
}

}  // namespace

int run_session(int argc, char** argv, const SessionHooks& hooks) {
  HangGuard guard(time_limit(), hooks.before_hang_exit);
  Running now{hooks, guard};
  running = &now;
  const int status = Catch::Session().run(argc, argv);
  running = nullptr;
  std::cout.flush();
  return status;
}

}  // namespace test_support
