// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/outlet.hpp"

#include <numeric>

namespace waybill::recorder {

Outlet::~Outlet() = default;

std::size_t Tally::findings() const noexcept {
  std::size_t sum = findings_elsewhere();
  for (const Place& place : places) sum += place.count;
  return sum;
}

std::size_t Tally::findings_elsewhere() const noexcept {
  return std::accumulate(elsewhere.begin(), elsewhere.end(), std::size_t{0});
}

std::size_t Tally::all_suppressed() const noexcept {
  std::size_t sum = 0;
  for (const auto& [name, count] : suppressed) sum += count;
  return sum;
}

}  // namespace waybill::recorder
