// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "ping_pong.hpp"
#include "quantity.hpp"
#include "tests.hpp"
#include "timed_loop.hpp"

namespace bench {

namespace {

constexpr int first_pending_tag = 1000;
constexpr std::size_t pending_bytes = 8;
constexpr std::size_t batch = 64;

int tag_of(std::size_t number) { return first_pending_tag + static_cast<int>(number); }

/// Receives with tags of their own, from the partner. finish() is collective.
template <class Side>
class PendingReceives {
 public:
  PendingReceives(const Bench& bench, const Side& side, std::size_t count)
      : bench_(bench), side_(side), data_(count * pending_bytes), handles_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      handles_[i] = side_.irecv(part(data_, i), bench_.partner(), tag_of(i));
    }
    bench_.barrier();
  }

  /// Both send what the other waits for.
  void finish() {
    std::vector<std::byte> out(pending_bytes);
    std::vector<typename Side::Handle> sends(batch);
    for (std::size_t i = 0; i < handles_.size(); i += batch) {
      const std::size_t count = std::min(batch, handles_.size() - i);
      for (std::size_t k = 0; k < count; ++k) {
        sends[k] = side_.isend(out, bench_.partner(), tag_of(i + k));
      }
      side_.wait_all(std::span(sends).first(count));
      side_.wait_all(std::span(handles_).subspan(i, count));
    }
  }

 private:
  static std::span<std::byte> part(std::vector<std::byte>& data, std::size_t number) {
    return std::span(data).subspan(number * pending_bytes, pending_bytes);
  }

  const Bench& bench_;
  const Side& side_;
  std::vector<std::byte> data_;
  std::vector<typename Side::Handle> handles_;
};

std::vector<Contender> both_kinds(const Bench& bench) {
  std::vector<Contender> all = bench.contenders();
  const std::vector<Contender> plain = all;
  for (Contender contender : plain) {
    contender.name += ", exact_matching";
    contender.exact_matching = true;
    all.push_back(contender);
  }
  return all;
}

void measure(Bench& bench, std::size_t bytes, std::size_t pending) {
  bench.show(fmt::format("pending, {} receives", pending));
  std::vector<std::byte> data(bytes);
  const HandlePingPong loop{data, bench.rank()};
  const Turns turns{both_kinds(bench), bench.settings().rounds};
  // Calibrated without the receives: posting them again for each try would take long.
  const std::size_t iterations = calibrate(bench, turns, bench.block_seconds() / 2, loop);
  const Samples samples = interleave(bench, turns, [&](const auto& side) {
    PendingReceives receives(bench, side, pending);
    loop(side, std::max<std::size_t>(iterations / 8, 1));
    const double taken = time_loop(bench, side, iterations, loop);
    receives.finish();
    return Values{taken / static_cast<double>(iterations)};
  });
  Result result;
  result.test = "pending";
  result.pattern = fmt::format("{} pending", pending);
  result.bytes = bytes;
  result.quantity = "time one way";
  result.unit = "us";
  result.extras["pending"] = static_cast<double>(pending);
  result.extras["iterations"] = static_cast<double>(iterations);
  add_results(bench, turns, samples, result,
              [](const auto& rounds) { return scaled(column(rounds), 1e6 / 2); });
}

}  // namespace

void run_pending(Bench& bench, const Entry& entry) {
  for (const std::size_t bytes : bench.sizes(entry)) {
    for (const std::size_t pending : bench.settings().pending) measure(bench, bytes, pending);
  }
}

}  // namespace bench
