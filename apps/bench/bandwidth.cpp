// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <vector>

#include "quantity.hpp"
#include "tests.hpp"
#include "timed_loop.hpp"

namespace bench {

namespace {

constexpr int tag = 1;
constexpr int acknowledge_tag = 2;
constexpr std::size_t most_memory = std::size_t{64} << 20;  // of a window

/// Rank 0 sends a window of messages, each from memory of its own, and rank 1
/// answers with 4 bytes when all are there.
struct Stream {
  std::vector<std::byte>& data;
  std::size_t bytes;
  std::size_t window;
  int rank;

  template <class Side>
  void operator()(const Side& side, std::size_t iterations) const {
    std::vector<typename Side::Handle> handles(window);
    std::vector<std::byte> acknowledgement(4);
    const std::span<std::byte> all(data);
    for (std::size_t i = 0; i < iterations; ++i) {
      for (std::size_t k = 0; k < window; ++k) {
        const auto part = all.subspan(k * bytes, bytes);
        handles[k] = rank == 0 ? side.isend(part, 1, tag) : side.irecv(part, 0, tag);
      }
      side.wait_all(handles);
      if (rank == 0) side.recv(acknowledgement, 1, acknowledge_tag);
      else side.send(acknowledgement, 0, acknowledge_tag);
    }
  }
};

void measure(Bench& bench, std::size_t bytes, std::size_t window) {
  bench.show(fmt::format("bandwidth, window {}, {}", window, text_of_bytes(bytes)));
  std::vector<std::byte> data(window * bytes);
  const Turns turns{bench.contenders(), bench.settings().rounds};
  const TimedLoop timed = time_in_turns(bench, turns, Stream{data, bytes, window, bench.rank()});
  Result result;
  result.test = "bandwidth";
  result.pattern = fmt::format("window {}", window);
  result.bytes = bytes;
  result.quantity = "bandwidth";
  result.unit = "MB/s";
  result.better = Better::higher;
  result.extras["window"] = static_cast<double>(window);
  result.extras["iterations"] = static_cast<double>(timed.iterations);
  const double megabytes = static_cast<double>(window * bytes) / 1e6;
  add_results(bench, turns, timed.samples, result,
              [&](const auto& rounds) { return inverse(column(rounds), megabytes); });
}

}  // namespace

void run_bandwidth(Bench& bench, const Entry& entry) {
  for (const std::size_t window : bench.settings().windows) {
    for (const std::size_t bytes : bench.sizes(entry)) {
      if (bytes == 0 || window * bytes > most_memory) {
        bench.note(
            fmt::format("bandwidth leaves out {} messages of {}.", window, text_of_bytes(bytes)));
        continue;
      }
      measure(bench, bytes, window);
    }
  }
}

}  // namespace bench
