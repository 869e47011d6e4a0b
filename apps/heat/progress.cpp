// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace heat {

namespace {

constexpr std::chrono::milliseconds period{250};

void put(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(ProgressLine mode, std::size_t steps)
    : shown_(mode == ProgressLine::always ||
             (mode == ProgressLine::automatic && isatty(STDERR_FILENO) == 1)),
      steps_(steps),
      next_(std::chrono::steady_clock::now() + period) {}

Progress::~Progress() {
  if (last_width_ > 0) put(fmt::format("\r{:{}}\r", "", last_width_));
}

void Progress::show(std::size_t step) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + period;
  const std::string line =
      fmt::format("waybill-heat: step {} of {} ({} %)", step, steps_, step * 100 / steps_);
  last_width_ = line.size();
  put("\r" + line);
}

}  // namespace heat
