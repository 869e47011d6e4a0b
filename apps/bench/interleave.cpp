// SPDX-License-Identifier: BSD-3-Clause
#include "interleave.hpp"

namespace bench {

std::vector<double> column(const std::vector<Values>& rounds, std::size_t index) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const Values& round : rounds) values.push_back(round[index]);
  return values;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

std::vector<double> inverse(std::vector<double> values, double numerator) {
  for (double& value : values) value = value > 0 ? numerator / value : 0;
  return values;
}

}  // namespace bench
