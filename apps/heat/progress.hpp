// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The line that says how far the run is.

#include <chrono>
#include <cstddef>

#include "command_line.hpp"

namespace heat {

/// Rewrites one line on stderr in place, at most four times a second, and wipes
/// it at the end. Says nothing where a terminal is wanted and stderr is none.
class Progress {
 public:
  Progress(ProgressLine mode, std::size_t steps);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void reached(std::size_t step) {
    if (shown_) show(step);
  }

 private:
  void show(std::size_t step);

  bool shown_;
  std::size_t steps_;
  std::size_t last_width_ = 0;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace heat
