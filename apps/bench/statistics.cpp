// SPDX-License-Identifier: BSD-3-Clause
#include "statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

/// @p sorted is not empty; 0 <= @p share <= 1.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

std::optional<Quartiles> quartiles(std::vector<double> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return Quartiles{quantile(samples, 0.25), quantile(samples, 0.5), quantile(samples, 0.75)};
}

double median(const std::vector<double>& samples) {
  const auto values = quartiles(samples);
  return values ? values->median : 0;
}

std::optional<double> relative_spread(const Quartiles& values) {
  if (!(values.median > 0)) return std::nullopt;
  return (values.high - values.low) / values.median;
}

std::vector<double> ratios(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all;
  const std::size_t rounds = std::min(first.size(), second.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    if (first[round] != 0) all.push_back(second[round] / first[round]);
  }
  return all;
}

bool noisy_ratios(const std::vector<double>& of_rounds) {
  if (of_rounds.size() < fewest_rounds) return true;
  const Quartiles values = *quartiles(of_rounds);
  const auto spread = relative_spread(values);
  if (!spread || *spread > widest_ratio_range) return true;
  const bool claims = std::abs(values.median - 1) > plain_difference;
  return claims && values.low <= 1 && values.high >= 1;
}

bool noisy_shares(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all = first.empty() ? second : first;
  if (!first.empty() && !second.empty()) {
    all.resize(std::min(first.size(), second.size()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = second[i] - first[i];
  }
  if (all.size() < fewest_rounds) return true;
  const Quartiles values = *quartiles(all);
  return values.high - values.low > widest_share_range;
}

}  // namespace bench
