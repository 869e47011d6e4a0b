// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One row of the table: the samples of raw MPI and of Waybill for the same
/// thing, and what follows from them.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "statistics.hpp"

namespace bench {

enum class Better { lower, higher };

struct Result {
  std::string test;
  std::string pattern;    ///< what was done: "isend", "window 8"; may be empty
  std::string contender;  ///< how Waybill was set: "basic"; empty if only raw MPI was measured
  std::optional<std::size_t> bytes;
  std::string quantity;  ///< "time one way"
  std::string unit;      ///< "us"
  Better better = Better::lower;
  std::vector<double> raw;      ///< one per round, empty if not measured
  std::vector<double> waybill;  ///< of the same rounds
  std::map<std::string, double> extras;

  [[nodiscard]] std::string variant() const;
  /// Shares in % are compared by difference: they have no ratio.
  [[nodiscard]] bool is_share() const { return unit == "%"; }
  [[nodiscard]] std::optional<Quartiles> raw_quartiles() const { return quartiles(raw); }
  [[nodiscard]] std::optional<Quartiles> waybill_quartiles() const { return quartiles(waybill); }
  /// Of the ratios waybill / raw of the rounds; nullopt where there are none.
  [[nodiscard]] std::optional<Quartiles> ratio_quartiles() const;
  /// Whether the comparison says nothing, see noisy_ratios(); false without both sides.
  [[nodiscard]] bool noisy() const;
};

/// Those of one test and quantity together, in the order in which they come up.
[[nodiscard]] std::vector<std::vector<Result>> by_quantity(const std::vector<Result>& results);

}  // namespace bench
