// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Keeps the stdout of ranks above 0 back, so that a launched test prints one report.

namespace test_support {

/// One per process. From the constructor on, what a rank above 0 writes to
/// stdout is kept; show() writes it to stderr, each line led by the rank.
class HeldOutput {
 public:
  explicit HeldOutput(int rank);
  HeldOutput(const HeldOutput&) = delete;
  HeldOutput& operator=(const HeldOutput&) = delete;
  ~HeldOutput();

  void show() noexcept;

 private:
  int rank_;
  int file_ = -1;  // -1 where nothing is kept
};

}  // namespace test_support
