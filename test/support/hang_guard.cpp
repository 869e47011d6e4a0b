// SPDX-License-Identifier: BSD-3-Clause
#include "support/hang_guard.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "support/catch_session.hpp"

namespace test_support {

HangGuard::HangGuard(double seconds, std::function<void()> before_exit)
    : before_exit_(std::move(before_exit)), thread_([this, seconds] { watch(seconds); }) {}

HangGuard::~HangGuard() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void HangGuard::enter(const std::string& test_case) {
  const std::lock_guard lock(mutex_);
  test_case_ = test_case;
}

void HangGuard::watch(double seconds) {
  std::unique_lock lock(mutex_);
  if (over_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
    return;
  std::fprintf(stderr, "hang: test case \"%s\" runs when the limit of %g s is over\n",
               test_case_.c_str(), seconds);
  if (before_exit_) before_exit_();
  _exit(hang_status);  // destructors would wait for the threads that hang
}

}  // namespace test_support
