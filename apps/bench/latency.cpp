// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <vector>

#include "ping_pong.hpp"
#include "quantity.hpp"
#include "tests.hpp"
#include "timed_loop.hpp"

namespace bench {

namespace {

struct BlockingPingPong {
  static constexpr const char* name = "blocking";
  std::vector<std::byte>& data;
  int rank;

  template <class Side>
  void operator()(const Side& side, std::size_t iterations) const {
    for (std::size_t i = 0; i < iterations; ++i) {
      if (rank == 0) side.send(data, 1, ping_pong_tag);
      side.recv(data, 1 - rank, ping_pong_tag);
      if (rank == 1) side.send(data, 0, ping_pong_tag);
    }
  }
};

template <class PingPong>
void measure(Bench& bench, std::size_t bytes) {
  bench.show(fmt::format("latency {}, {}", PingPong::name, text_of_bytes(bytes)));
  std::vector<std::byte> data(bytes);
  const Turns turns{bench.contenders(), bench.settings().rounds};
  const TimedLoop timed = time_in_turns(bench, turns, PingPong{data, bench.rank()});
  Result result;
  result.test = "latency";
  result.pattern = PingPong::name;
  result.bytes = bytes;
  result.quantity = "time one way";
  result.unit = "us";
  result.extras["iterations"] = static_cast<double>(timed.iterations);
  add_results(bench, turns, timed.samples, result,
              [](const auto& rounds) { return scaled(column(rounds), 1e6 / 2); });
}

}  // namespace

void run_latency(Bench& bench, const Entry& entry) {
  for (const std::size_t bytes : bench.sizes(entry)) measure<HandlePingPong>(bench, bytes);
  for (const std::size_t bytes : bench.sizes(entry)) measure<BlockingPingPong>(bench, bytes);
}

}  // namespace bench
