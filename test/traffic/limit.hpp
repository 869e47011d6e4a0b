// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Ends the process when a plan does not end.

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "verdict.hpp"

namespace traffic {

/// The limit counts from the constructor to the destructor.
class Limit {
 public:
  Limit(std::string plan, int rank, double seconds, const Verdict& verdict)
      : thread_([this, plan = std::move(plan), rank, seconds, &verdict] {
          std::unique_lock lock(mutex_);
          if (over_.wait_for(lock, std::chrono::duration<double>(seconds),
                             [this] { return done_; }))
            return;
          std::fprintf(stderr, "%s: rank %d did not end within %g s; its threads are at steps %s\n",
                       plan.c_str(), rank, seconds, verdict.steps().c_str());
          std::fflush(stderr);
          std::_Exit(3);  // destructors would wait for the threads that hang
        }) {}
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;  // the last one, so that it finds the others
};

}  // namespace traffic
