// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From values to places on a line.

#include <string>
#include <vector>

namespace bench {

/// Linear or logarithmic, with ends that are round numbers.
class Scale {
 public:
  enum class Kind { linear, logarithmic };

  /// Covers all @p values, and 1 more step where they are all the same. Values
  /// that a logarithm does not take are left out of its range.
  Scale(Kind kind, const std::vector<double>& values);

  /// Where a value is between the ends, 0 to 1. What lies beyond is moved to the end.
  [[nodiscard]] double place(double value) const;
  /// Values for lines, in ascending order.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  void linear(double low, double high);
  void logarithmic(double low, double high);

  Kind kind_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
};

/// Logarithmic where all values are above 0 and far apart.
[[nodiscard]] Scale::Kind kind_for(const std::vector<double>& values, double far = 20);

/// "0.5", "20", "2k", "5M".
[[nodiscard]] std::string tick_text(double value);

}  // namespace bench
