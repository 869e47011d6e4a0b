// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Loops that are repeated until a block takes long enough to be timed.

#include <algorithm>
#include <cstddef>

#include "interleave.hpp"

namespace bench {

inline constexpr std::size_t most_iterations = std::size_t{1} << 22;

/// Seconds of @p loop(side, iterations), which all ranks begin together.
template <class Side, class Loop>
double time_loop(const Bench& bench, const Side& side, std::size_t iterations, const Loop& loop) {
  bench.barrier();
  const Clock::time_point begin = Clock::now();
  loop(side, iterations);
  return seconds_since(begin);
}

/// How many iterations take @p seconds, by the side that is measured first; the
/// same on every rank. @p time(side, iterations) gives seconds.
template <class Time>
std::size_t calibrate_timed(Bench& bench, const Turns& turns, double seconds, const Time& time) {
  return with_one_side(bench, turns, [&](const auto& side) {
    std::size_t iterations = 1;
    time(side, iterations);
    while (true) {
      const double taken = time(side, iterations);
      const double factor = std::min(seconds / std::max(taken, 1e-9) * 1.1, 16.0);
      const auto next = static_cast<std::size_t>(factor * static_cast<double>(iterations));
      const bool enough = taken >= seconds || iterations >= most_iterations;
      const std::size_t told = bench.agree(enough ? 0 : std::max(next, iterations + 1));
      if (told == 0) return iterations;
      iterations = std::min(told, most_iterations);
    }
  });
}

template <class Loop>
std::size_t calibrate(Bench& bench, const Turns& turns, double seconds, const Loop& loop) {
  return calibrate_timed(bench, turns, seconds, [&](const auto& side, std::size_t iterations) {
    return time_loop(bench, side, iterations, loop);
  });
}

struct TimedLoop {
  Samples samples;  ///< seconds of one iteration, on rank 0
  std::size_t iterations = 0;
};

/// All rounds of a loop. Each block has a warm-up that is not counted.
template <class Loop>
TimedLoop time_in_turns(Bench& bench, const Turns& turns, const Loop& loop) {
  TimedLoop timed;
  timed.iterations = calibrate(bench, turns, bench.block_seconds(), loop);
  const std::size_t iterations = timed.iterations;
  timed.samples = interleave(bench, turns, [&](const auto& side) {
    loop(side, std::max<std::size_t>(iterations / 8, 1));
    return Values{time_loop(bench, side, iterations, loop) / static_cast<double>(iterations)};
  });
  return timed;
}

}  // namespace bench
