// SPDX-License-Identifier: BSD-3-Clause
#include "result.hpp"

#include <algorithm>

namespace bench {

std::string Result::variant() const {
  if (pattern.empty() || contender.empty()) return pattern + contender;
  return pattern + ", " + contender;
}

std::optional<Quartiles> Result::ratio_quartiles() const {
  if (is_share()) return std::nullopt;
  return quartiles(ratios(raw, waybill));
}

bool Result::noisy() const {
  if (raw.empty() || waybill.empty()) return false;
  return is_share() ? noisy_shares(raw, waybill) : noisy_ratios(ratios(raw, waybill));
}

std::vector<std::vector<Result>> by_quantity(const std::vector<Result>& results) {
  std::vector<std::vector<Result>> groups;
  for (const Result& result : results) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.front().test == result.test && group.front().quantity == result.quantity;
    });
    if (same != groups.end()) same->push_back(result);
    else groups.push_back({result});
  }
  return groups;
}

}  // namespace bench
