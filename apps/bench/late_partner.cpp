// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <vector>

#include "computation.hpp"
#include "interleave.hpp"
#include "quantity.hpp"
#include "tests.hpp"

namespace bench {

namespace {

constexpr int sender = 0;
constexpr int receiver = 1;
constexpr int tag = 1;
constexpr int ready_tag = 2;
constexpr double usual_computation = 3e-3;
constexpr double head_start = 200e-6;  // of the computation before the send

// What a round gives.
enum Part : std::size_t { blocked_part, lost_part };

void spin(double seconds) {
  const Clock::time_point begin = Clock::now();
  while (seconds_since(begin) < seconds) {
  }
}

/// The receiver posts its receive, says so and computes; 200 us later the sender
/// sends and waits.
class LatePartner {
 public:
  LatePartner(Bench& bench, std::size_t bytes, std::size_t turns)
      : bench_(bench), data_(bytes), computation_(turns) {}

  /// Seconds that the sender was blocked, or that the receiver's computation took.
  template <class Side>
  double run(const Side& side) {
    bench_.barrier();
    return bench_.rank() == sender ? send(side) : receive(side);
  }

  [[nodiscard]] double compute_alone() const {
    bench_.barrier();
    return bench_.rank() == receiver ? compute() : 0;
  }

 private:
  template <class Side>
  double send(const Side& side) {
    char ready = 0;
    MPI_Recv(&ready, 1, MPI_CHAR, receiver, ready_tag, bench_.world(), MPI_STATUS_IGNORE);
    spin(head_start);
    const Clock::time_point begin = Clock::now();
    typename Side::Handle handle = side.isend(data_, receiver, tag);
    side.wait(handle);
    return seconds_since(begin);
  }

  template <class Side>
  double receive(const Side& side) {
    typename Side::Handle handle = side.irecv(data_, sender, tag);
    const char ready = 1;
    MPI_Send(&ready, 1, MPI_CHAR, sender, ready_tag, bench_.world());
    const double taken = compute();
    side.wait(handle);
    return taken;
  }

  [[nodiscard]] double compute() const {
    const Clock::time_point begin = Clock::now();
    computation_.run();
    return seconds_since(begin);
  }

  Bench& bench_;
  std::vector<std::byte> data_;
  Computation computation_;
};

/// On rank 0: microseconds blocked, and % of the computation's time lost.
template <class Side>
Values measure_round(Bench& bench, const Side& side, LatePartner& partner, std::size_t repeats) {
  std::vector<double> with_message;
  std::vector<double> alone;
  partner.run(side);
  for (std::size_t i = 0; i < repeats; ++i) {
    alone.push_back(partner.compute_alone());
    with_message.push_back(partner.run(side));
  }
  std::array<double, 2> computed{median(with_message), median(alone)};
  MPI_Bcast(computed.data(), 2, MPI_DOUBLE, receiver, bench.world());
  return {1e6 * median(with_message), 100 * (computed[0] / computed[1] - 1)};
}

std::size_t calibrate_computation(Bench& bench, const Turns& turns, double seconds) {
  const auto on_side = [&](const auto& /*side*/) {
    bench.barrier();
    std::uint64_t mine = bench.rank() == receiver ? Computation(seconds).turns() : 0;
    MPI_Bcast(&mine, 1, MPI_UINT64_T, receiver, bench.world());
    return static_cast<std::size_t>(mine);
  };
  return with_one_side(bench, turns, on_side);
}

void measure(Bench& bench, const Placement& placement, std::size_t bytes) {
  bench.show(fmt::format("late-partner, {}, {}", placement.name(), text_of_bytes(bytes)));
  const Settings& settings = bench.settings();
  const Turns turns{bench.contenders(), settings.rounds, Reach::world, &placement};
  const double seconds = settings.compute ? std::chrono::duration<double>(*settings.compute).count()
                                          : usual_computation;
  LatePartner partner(bench, bytes, calibrate_computation(bench, turns, seconds));
  const std::size_t repeats = settings.quick ? 2 : 5;
  const Samples samples = interleave(
      bench, turns, [&](const auto& side) { return measure_round(bench, side, partner, repeats); });
  Result result;
  result.test = "late-partner";
  result.pattern = placement.name();
  result.bytes = bytes;
  result.quantity = "sender blocked";
  result.unit = "us";
  result.extras["compute_us"] = 1e6 * seconds;
  result.extras["repeats"] = static_cast<double>(repeats);
  add_results(bench, turns, samples, result,
              [](const auto& rounds) { return column(rounds, blocked_part); });
  result.quantity = "lost by the receiver's computation";
  result.unit = "%";
  add_results(bench, turns, samples, result,
              [](const auto& rounds) { return column(rounds, lost_part); });
}

}  // namespace

void run_late_partner(Bench& bench, const Entry& entry) {
  const Cores wanted = bench.settings().cores.value_or(Cores::launched);
  const Placement placement = place(bench, wanted, receiver);
  for (const std::size_t bytes : bench.sizes(entry)) measure(bench, placement, bytes);
}

}  // namespace bench
