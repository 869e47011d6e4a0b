// SPDX-License-Identifier: BSD-3-Clause
#include "computation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(std::size_t turns) {
  const auto begin = Clock::now();
  Computation(turns).run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Computation::Computation(double seconds) : turns_(1) {
  constexpr std::size_t trial = 100'000;
  double best = seconds_of(trial);
  for (int i = 0; i < 20; ++i) best = std::min(best, seconds_of(trial));
  const double turns = seconds / best * static_cast<double>(trial);
  turns_ = std::max<std::size_t>(static_cast<std::size_t>(turns), 1);
}

void Computation::run() const {
  std::uint64_t state = turns_;
  for (std::size_t i = 0; i < turns_; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(state));  // so that the loop stays what it is
  }
}

}  // namespace bench
