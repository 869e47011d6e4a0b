// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What is said about samples. Needs no MPI.

#include <cstddef>
#include <optional>
#include <vector>

namespace bench {

struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};

/// With linear interpolation between neighbours; nullopt without samples.
[[nodiscard]] std::optional<Quartiles> quartiles(std::vector<double> samples);

/// Median, or 0 without samples.
[[nodiscard]] double median(const std::vector<double>& samples);

/// Interquartile range as a share of the median; nullopt where the median is not above 0.
[[nodiscard]] std::optional<double> relative_spread(const Quartiles& values);

/// second[i] / first[i] of every round that has both, leaving out firsts of 0.
[[nodiscard]] std::vector<double> ratios(const std::vector<double>& first,
                                         const std::vector<double>& second);

inline constexpr std::size_t fewest_rounds = 5;
inline constexpr double widest_ratio_range = 0.15;  // as a share of the ratio
inline constexpr double plain_difference = 0.05;    // from here on a ratio claims something
inline constexpr double widest_share_range = 10;    // of shares in %, in points

/// Whether the ratios of the rounds do not support their median: fewer than 5
/// rounds; or their interquartile range is wider than 15 % of the median; or the
/// median is off 1 by more than 5 % although the quartiles enclose 1.
[[nodiscard]] bool noisy_ratios(const std::vector<double>& of_rounds);

/// The same for shares in %: fewer than 5 rounds, or the differences second[i] -
/// first[i] (of one series, its values) have an interquartile range above 10 points.
[[nodiscard]] bool noisy_shares(const std::vector<double>& first,
                                const std::vector<double>& second);

}  // namespace bench
