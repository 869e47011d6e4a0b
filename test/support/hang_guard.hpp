// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Ends a process whose test cases do not end, and says which one it was.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace test_support {

/// The limit counts from the constructor to the destructor, which stops the watch.
class HangGuard {
 public:
  HangGuard(double seconds, std::function<void()> before_exit);
  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;
  ~HangGuard();

  /// The test case that runs from now on.
  void enter(const std::string& test_case);

 private:
  void watch(double seconds);

  std::mutex mutex_;
  std::condition_variable over_;
  std::string test_case_;
  bool done_ = false;
  std::function<void()> before_exit_;
  std::thread thread_;
};

}  // namespace test_support
