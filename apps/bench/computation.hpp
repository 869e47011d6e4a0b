// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A computation of known length that touches registers only.

#include <cstddef>

namespace bench {

class Computation {
 public:
  /// Measures how many turns take @p seconds on this core.
  explicit Computation(double seconds);
  /// The same computation on another rank.
  explicit Computation(std::size_t turns) : turns_(turns) {}

  [[nodiscard]] std::size_t turns() const { return turns_; }
  void run() const;

 private:
  std::size_t turns_;
};

}  // namespace bench
