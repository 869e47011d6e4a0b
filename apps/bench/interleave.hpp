// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Raw MPI and Waybill in turns, so that what changes slowly changes both.

#include <cstddef>
#include <string>
#include <vector>

#include "bench.hpp"
#include "placement.hpp"
#include "raw_side.hpp"
#include "waybill/runtime.hpp"
#include "waybill_side.hpp"

namespace bench {

/// What a measurement gave in one round: one value or several.
using Values = std::vector<double>;

/// By round; of Waybill by contender, then by round. A side that was not wanted is empty.
struct Samples {
  std::vector<Values> raw;
  std::vector<std::vector<Values>> waybill;
};

/// The value number @p index of every round.
[[nodiscard]] std::vector<double> column(const std::vector<Values>& rounds, std::size_t index = 0);
/// ... each times @p factor.
[[nodiscard]] std::vector<double> scaled(std::vector<double> values, double factor);
/// @p numerator divided by each.
[[nodiscard]] std::vector<double> inverse(std::vector<double> values, double numerator);

enum class Reach { world, self };

struct Turns {
  std::vector<Contender> contenders;
  std::size_t rounds = 1;
  Reach reach = Reach::world;
  const Placement* placement = nullptr;  ///< nullptr: as launched
};

/// Calls @p measure with raw MPI. No Runtime lives.
template <class Measure>
auto with_raw(Bench& bench, const Turns& turns, const Measure& measure) {
  const PlacedThread placed(turns.placement);
  const RawSide side(turns.reach == Reach::self ? bench.self() : bench.world());
  placed.settle();
  return measure(side);
}

/// Calls @p measure with a Runtime made for this, and ended behind it. Collective.
template <class Measure>
auto with_waybill(Bench& /*bench*/, const Turns& turns, const Contender& contender,
                  const Measure& measure) {
  const PlacedThread placed(turns.placement);
  waybill::Options options = contender.options;
  if (turns.placement != nullptr && turns.placement->away) options.wait = waybill::WaitMode::yield;
  const waybill::Runtime runtime(options);
  waybill::Communicator communicator =
      turns.reach == Reach::self ? runtime.self() : runtime.world();
  if (contender.exact_matching) communicator = communicator.dup({.exact_matching = true});
  const WaybillSide side(communicator);
  placed.settle();
  return measure(side);
}

/// Calls @p measure with the side that is measured first.
template <class Measure>
auto with_one_side(Bench& bench, const Turns& turns, const Measure& measure) {
  if (bench.raw_wanted()) return with_raw(bench, turns, measure);
  return with_waybill(bench, turns, turns.contenders.front(), measure);
}

/// Rounds of @p measure(side) -> Values, raw first in even ones and last in odd ones.
template <class Measure>
Samples interleave(Bench& bench, const Turns& turns, const Measure& measure) {
  Samples samples;
  const std::size_t contenders = bench.waybill_wanted() ? turns.contenders.size() : 0;
  samples.waybill.resize(contenders);
  for (std::size_t round = 0; round < turns.rounds; ++round) {
    for (std::size_t turn = 0; turn <= contenders; ++turn) {
      const std::size_t who = round % 2 == 0 ? turn : contenders - turn;
      if (who > 0) {
        samples.waybill[who - 1].push_back(
            with_waybill(bench, turns, turns.contenders[who - 1], measure));
      } else if (bench.raw_wanted()) {
        samples.raw.push_back(with_raw(bench, turns, measure));
      }
    }
  }
  return samples;
}

/// Adds one result per contender; @p shared has what they have in common, and
/// @p values_of makes a series from the rounds of one side.
template <class ValuesOf>
void add_results(Bench& bench, const Turns& turns, const Samples& samples, const Result& shared,
                 const ValuesOf& values_of) {
  Result result = shared;
  if (!samples.raw.empty()) result.raw = values_of(samples.raw);
  if (samples.waybill.empty()) bench.add(result);
  for (std::size_t i = 0; i < samples.waybill.size(); ++i) {
    result.contender = turns.contenders[i].name;
    result.waybill = values_of(samples.waybill[i]);
    bench.add(result);
  }
}

}  // namespace bench
