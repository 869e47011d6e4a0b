// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "computation.hpp"
#include "interleave.hpp"
#include "quantity.hpp"
#include "tests.hpp"

namespace bench {

namespace {

constexpr int tag = 1;
constexpr double shortest_computation = 200e-6;

// What a round gives, in seconds.
enum Part : std::size_t { total_part, compute_part, exchange_part };

/// Both ranks send and receive a message. Those that compute do so between posting and waiting.
class Exchange {
 public:
  Exchange(Bench& bench, std::size_t bytes, bool both_compute)
      : bench_(bench), out_(bytes), in_(bytes), computes_(bench.rank() == 0 || both_compute) {}

  template <class Side>
  double run(const Side& side, const Computation* computation) {
    const int peer = bench_.partner();
    bench_.barrier();
    const Clock::time_point begin = Clock::now();
    std::array<typename Side::Handle, 2> handles{side.irecv(in_, peer, tag),
                                                 side.isend(out_, peer, tag)};
    if (computation != nullptr && computes_) computation->run();
    side.wait_all(handles);
    return seconds_since(begin);
  }

  [[nodiscard]] double compute(const Computation& computation) const {
    bench_.barrier();
    const Clock::time_point begin = Clock::now();
    if (computes_) computation.run();
    return seconds_since(begin);
  }

 private:
  Bench& bench_;
  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
  bool computes_;
};

struct Work {
  std::size_t turns = 0;    ///< of the computation
  std::size_t repeats = 0;  ///< in a block
};

Work calibrate_work(Bench& bench, const Turns& turns, Exchange& exchange) {
  return with_one_side(bench, turns, [&](const auto& side) {
    std::vector<double> times;
    for (int i = 0; i < 13; ++i) {
      const double time = exchange.run(side, nullptr);
      if (i >= 3) times.push_back(time);
    }
    const double exchange_seconds = median(times);
    double compute_seconds = std::max(shortest_computation, 2 * exchange_seconds);
    if (const auto given = bench.settings().compute) {
      compute_seconds = std::chrono::duration<double>(*given).count();
    }
    const double repeats = bench.block_seconds() / (2 * compute_seconds + exchange_seconds);
    Work work;
    work.turns = bench.agree(Computation(compute_seconds).turns());
    work.repeats = bench.agree(static_cast<std::size_t>(std::clamp(repeats, 1.0, 100.0)));
    return work;
  });
}

template <class Side>
Values measure_round(const Side& side, Exchange& exchange, const Work& work) {
  const Computation computation(work.turns);
  for (int i = 0; i < 2; ++i) exchange.run(side, &computation);
  Values sums(3);
  for (std::size_t i = 0; i < work.repeats; ++i) {
    sums[exchange_part] += exchange.run(side, nullptr);
    sums[compute_part] += exchange.compute(computation);
    sums[total_part] += exchange.run(side, &computation);
  }
  for (double& sum : sums) sum /= static_cast<double>(work.repeats);
  return sums;
}

/// 1 - (total - computation) / exchange, in %, with the raw exchange of the same round.
std::vector<double> overlap_of(const std::vector<Values>& rounds,
                               const std::vector<Values>& with_exchange) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const double visible = rounds[i][total_part] - rounds[i][compute_part];
    shares.push_back(100 * (1 - visible / with_exchange[i][exchange_part]));
  }
  return shares;
}

void measure(Bench& bench, const Placement& placement, std::size_t bytes) {
  bench.show(fmt::format("overlap, {}, {}", placement.name(), text_of_bytes(bytes)));
  Exchange exchange(bench, bytes, placement.cores == Cores::shared);
  const Turns turns{bench.contenders(), bench.settings().rounds, Reach::world, &placement};
  const Work work = calibrate_work(bench, turns, exchange);
  const Samples samples = interleave(
      bench, turns, [&](const auto& side) { return measure_round(side, exchange, work); });
  Result result;
  result.test = "overlap";
  result.pattern = placement.name();
  result.bytes = bytes;
  result.quantity = "overlapped";
  result.unit = "%";
  result.better = Better::higher;
  const auto& timed = samples.raw.empty() ? samples.waybill.front() : samples.raw;
  result.extras["compute_us"] = 1e6 * median(column(timed, compute_part));
  result.extras["exchange_us"] = 1e6 * median(column(timed, exchange_part));
  result.extras["repeats"] = static_cast<double>(work.repeats);
  add_results(bench, turns, samples, result, [&](const std::vector<Values>& rounds) {
    return overlap_of(rounds, samples.raw.empty() ? rounds : samples.raw);
  });
  result.quantity = "total time";
  result.unit = "us";
  result.better = Better::lower;
  add_results(bench, turns, samples, result,
              [](const auto& rounds) { return scaled(column(rounds, total_part), 1e6); });
}

}  // namespace

void run_overlap(Bench& bench, const Entry& entry) {
  const Cores wanted = bench.settings().cores.value_or(Cores::own);
  const Placement placement = place(bench, wanted, 0);
  for (const std::size_t bytes : bench.sizes(entry)) measure(bench, placement, bytes);
}

}  // namespace bench
