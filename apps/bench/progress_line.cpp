// SPDX-License-Identifier: BSD-3-Clause
#include "progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace bench {

namespace {

void put(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const std::string& text) {
  if (!shown_) return;
  wipe();
  width_ = text.size();
  put(text);
}

void ProgressLine::wipe() {
  if (width_ > 0) put(fmt::format("\r{:{}}\r", "", width_));
  width_ = 0;
}

}  // namespace bench
