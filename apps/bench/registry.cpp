// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <vector>

#include "quantity.hpp"
#include "tests.hpp"
#include "timed_loop.hpp"

namespace bench {

namespace {

constexpr int tag = 1;

/// A receive and a send of this process to itself, and both waits.
struct Pair {
  std::vector<std::byte>& out;
  std::vector<std::byte>& in;

  template <class Side>
  void operator()(const Side& side, std::size_t iterations) const {
    for (std::size_t i = 0; i < iterations; ++i) {
      typename Side::Handle receive = side.irecv(in, 0, tag);
      typename Side::Handle send = side.isend(out, 0, tag);
      side.wait(receive);
      side.wait(send);
    }
  }
};

void measure(Bench& bench, std::size_t bytes) {
  bench.show(fmt::format("registry, {}", text_of_bytes(bytes)));
  std::vector<std::byte> out(bytes);
  std::vector<std::byte> in(bytes);
  const Turns turns{bench.contenders(true), bench.settings().rounds, Reach::self};
  const TimedLoop timed = time_in_turns(bench, turns, Pair{out, in});
  Result result;
  result.test = "registry";
  result.pattern = "to itself";
  result.bytes = bytes;
  result.quantity = "time of an isend and irecv to oneself";
  result.unit = "ns";
  result.extras["iterations"] = static_cast<double>(timed.iterations);
  add_results(bench, turns, timed.samples, result,
              [](const auto& rounds) { return scaled(column(rounds), 1e9); });
}

}  // namespace

void run_registry(Bench& bench, const Entry& entry) {
  for (const std::size_t bytes : bench.sizes(entry)) measure(bench, bytes);
}

}  // namespace bench
