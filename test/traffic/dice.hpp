// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Random numbers that are the same on every machine, unlike those of std's distributions.

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace traffic {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  /// 0 .. end - 1.
  std::size_t below(std::size_t end) { return random_() % end; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(i)]);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace traffic
