// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The line that says what is being measured.

#include <cstddef>
#include <string>

namespace bench {

/// Rewrites one line on stderr in place, if stderr is a terminal, and wipes it
/// at its end. For one rank and one thread, between measurements.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { wipe(); }

  void show(const std::string& text);
  void wipe();

 private:
  bool shown_;
  std::size_t width_ = 0;
};

}  // namespace bench
