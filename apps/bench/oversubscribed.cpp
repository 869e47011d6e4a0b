// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "computation.hpp"
#include "quantity.hpp"
#include "tests.hpp"
#include "timed_loop.hpp"
#include "waybill/info.hpp"
#include "waybill/runtime.hpp"

namespace bench {

namespace {

constexpr double compute_seconds = 50e-6;
constexpr int rightward_tag = 1;
constexpr int leftward_tag = 2;

/// Steps of a job: exchange with both neighbours of a ring, then compute.
struct Ring {
  const Bench& bench;
  std::vector<std::byte>& halo;  ///< in from left and right, out to left and right
  const Computation& computation;

  template <class Side>
  void operator()(const Side& side, std::size_t steps) const {
    const int right = (bench.rank() + 1) % bench.ranks();
    const int left = (bench.rank() + bench.ranks() - 1) % bench.ranks();
    const std::size_t bytes = halo.size() / 4;
    const std::span<std::byte> all(halo);
    for (std::size_t step = 0; step < steps; ++step) {
      std::array<typename Side::Handle, 4> handles{
          side.irecv(all.subspan(0, bytes), left, rightward_tag),
          side.irecv(all.subspan(bytes, bytes), right, leftward_tag),
          side.isend(all.subspan(2 * bytes, bytes), left, leftward_tag),
          side.isend(all.subspan(3 * bytes, bytes), right, rightward_tag)};
      side.wait_all(handles);
      computation.run();
    }
  }
};

void measure(Bench& bench, const Computation& computation, std::size_t bytes) {
  bench.show(fmt::format("oversubscribed, {}", text_of_bytes(bytes)));
  std::vector<std::byte> halo(4 * bytes);
  const Ring ring{bench, halo, computation};
  const Turns turns{bench.contenders(), bench.settings().rounds};
  const double job_seconds = bench.settings().quick ? 0.03 : 0.15;
  const std::size_t fewest_steps = bench.settings().quick ? 10 : 50;
  const std::size_t steps = std::max(calibrate(bench, turns, job_seconds, ring), fewest_steps);
  const Samples samples = interleave(bench, turns, [&](const auto& side) {
    ring(side, std::max<std::size_t>(steps / 8, 1));
    const double mine = time_loop(bench, side, steps, ring);
    return Values{bench.largest(mine)};
  });
  Result result;
  result.test = "oversubscribed";
  result.pattern = fmt::format("{} ranks", bench.ranks());
  result.bytes = bytes;
  result.quantity = "time of the job";
  result.unit = "s";
  result.extras["steps"] = static_cast<double>(steps);
  result.extras["compute_us"] = 1e6 * compute_seconds;
  add_results(bench, turns, samples, result, [](const auto& rounds) { return column(rounds); });
}

}  // namespace

void run_oversubscribed(Bench& bench, const Entry& entry) {
  const bool crowded = [&] {
    const waybill::Runtime runtime;
    return waybill::info().oversubscribed;
  }();
  if (bench.largest(crowded ? 1 : 0) == 0) {
    bench.note(fmt::format("oversubscribed: {} ranks have a core each; start more for this test.",
                           bench.ranks()));
  }
  const Computation computation(bench.agree(Computation(compute_seconds).turns()));
  for (const std::size_t bytes : bench.sizes(entry)) measure(bench, computation, bytes);
}

}  // namespace bench
