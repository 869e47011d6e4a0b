// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
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

/// What a rank does between posting and waiting: it computes; or it is away, which
/// takes as long and leaves the core to others.
class Absence {
 public:
  Absence(std::size_t turns, double seconds, bool away)
      : computation_(turns), seconds_(seconds), away_(away) {}

  [[nodiscard]] bool is_away() const { return away_; }

  void run() const {
    if (!away_) {
      computation_.run();
      return;
    }
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds_));
    std::this_thread::sleep_until(end - alarm);
    while (Clock::now() < end) std::this_thread::yield();
  }

 private:
  using Seconds = std::chrono::duration<double>;
  static constexpr std::chrono::microseconds alarm{100};  // a sleep ends late

  Computation computation_;
  double seconds_;
  bool away_;
};

/// Both ranks send and receive a message, and are absent between posting and waiting.
class Exchange {
 public:
  Exchange(Bench& bench, std::size_t bytes, bool away)
      : bench_(bench), out_(bytes), in_(bytes), away_(away) {}

  template <class Side>
  double run(const Side& side, const Absence* absence) {
    const int peer = bench_.partner();
    bench_.polite_barrier(away_);
    const Clock::time_point begin = Clock::now();
    std::array<typename Side::Handle, 2> handles{side.irecv(in_, peer, tag),
                                                 side.isend(out_, peer, tag)};
    if (absence != nullptr) absence->run();
    side.wait_all(handles);
    return seconds_since(begin);
  }

  [[nodiscard]] double compute(const Absence& absence) const {
    bench_.polite_barrier(away_);
    const Clock::time_point begin = Clock::now();
    if (!absence.is_away()) absence.run();
    return seconds_since(begin);
  }

 private:
  Bench& bench_;
  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
  bool away_;
};

struct Work {
  double seconds = 0;       ///< of the computation
  std::size_t turns = 0;    ///< the same
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
    double compute_seconds = std::max(shortest_computation, 4 * exchange_seconds);
    if (const auto given = bench.settings().compute) {
      compute_seconds = std::chrono::duration<double>(*given).count();
    }
    const double repeats = bench.block_seconds() / (2 * compute_seconds + exchange_seconds);
    Work work;
    work.seconds = compute_seconds;
    work.turns = bench.agree(Computation(compute_seconds).turns());
    work.repeats = bench.agree(static_cast<std::size_t>(std::clamp(repeats, 1.0, 100.0)));
    return work;
  });
}

template <class Side>
Values measure_round(const Side& side, Exchange& exchange, const Work& work, bool away) {
  const Absence absence(work.turns, work.seconds, away);
  for (std::size_t i = 0; i < work.repeats; ++i) exchange.run(side, &absence);
  Values sums(3);
  for (std::size_t i = 0; i < work.repeats; ++i) {
    sums[exchange_part] += exchange.run(side, nullptr);
    sums[compute_part] += exchange.compute(absence);
    sums[total_part] += exchange.run(side, &absence);
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
  Exchange exchange(bench, bytes, placement.away);
  const Turns turns{bench.contenders(), bench.settings().rounds, Reach::world, &placement};
  const Work work = calibrate_work(bench, turns, exchange);
  const Samples samples = interleave(bench, turns, [&](const auto& side) {
    return measure_round(side, exchange, work, placement.away);
  });
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
