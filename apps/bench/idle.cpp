// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <optional>
#include <thread>
#include <vector>

#include "cores.hpp"
#include "interleave.hpp"
#include "tests.hpp"

namespace bench {

namespace {

constexpr int tag = 1;

// What a round gives, in % of a core.
enum Part : std::size_t { process_part, thread_part };

/// Processor time used while the main thread sleeps. The background thread's is 0
/// where there is none.
Values sleep_and_look(const Bench& bench) {
  const std::chrono::duration<double> length(bench.settings().quick ? 0.1 : 2.0);
  bench.barrier();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));  // it parks after 20 ms
  const std::optional<pid_t> thread = background_thread();
  const auto thread_now = [&] { return thread ? thread_seconds(*thread).value_or(0) : 0; };
  const double process_before = process_seconds();
  const double thread_before = thread_now();
  const Clock::time_point begin = Clock::now();
  std::this_thread::sleep_for(length);
  const double taken = seconds_since(begin);
  return {100 * (process_seconds() - process_before) / taken,
          100 * (thread_now() - thread_before) / taken};
}

/// The same while a receive is pending that nothing matches.
template <class Side>
Values with_receive(const Bench& bench, const Side& side) {
  std::vector<std::byte> data(8);
  const int source = (bench.rank() + 1) % bench.ranks();
  typename Side::Handle handle = side.irecv(data, source, tag);
  Values values = sleep_and_look(bench);
  side.cancel(handle);
  return values;
}

template <class Measure>
void measure(Bench& bench, const std::string& pending, const Measure& once) {
  bench.show("idle, " + pending);
  const Settings& settings = bench.settings();
  const Turns turns{bench.contenders(), settings.rounds_given ? settings.rounds : idle_rounds};
  const Samples samples = interleave(bench, turns, once);
  Result result;
  result.test = "idle";
  result.quantity = "processor time while sleeping";
  result.unit = "%";
  result.pattern = pending + ", process";
  add_results(bench, turns, samples, result,
              [](const auto& rounds) { return column(rounds, process_part); });
  if (!bench.waybill_wanted()) return;
  result.pattern = pending + ", background thread";
  const Samples of_thread{{}, samples.waybill};  // raw MPI has none
  add_results(bench, turns, of_thread, result,
              [](const auto& rounds) { return column(rounds, thread_part); });
}

}  // namespace

void run_idle(Bench& bench, const Entry& /*entry*/) {
  measure(bench, "nothing pending", [&](const auto& /*side*/) { return sleep_and_look(bench); });
  measure(bench, "receive pending", [&](const auto& side) { return with_receive(bench, side); });
}

}  // namespace bench
