// SPDX-License-Identifier: BSD-3-Clause
#include "scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

/// 1, 2 or 5 times a power of ten, the next one not below @p value.
double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  double best = power;
  for (const double digit : {2.0, 5.0}) {
    if (digit * power <= value * (1 + 1e-9)) best = digit * power;
  }
  return best;
}

}  // namespace

Scale::Scale(Kind kind, const std::vector<double>& values) : kind_(kind) {
  std::vector<double> taken;
  for (const double value : values) {
    if (std::isfinite(value) && (kind == Kind::linear || value > 0)) taken.push_back(value);
  }
  if (taken.empty()) taken = {1};
  const auto [low, high] = std::minmax_element(taken.begin(), taken.end());
  if (kind == Kind::linear) linear(*low, *high);
  else logarithmic(*low, *high);
}

void Scale::linear(double low, double high) {
  if (high <= low) high = low + std::max(std::abs(low) * 0.1, 1e-9);
  const double step = round_up((high - low) / 6);
  low_ = std::floor(low / step + 1e-9) * step;
  high_ = std::ceil(high / step - 1e-9) * step;
  for (int i = 0; low_ + i * step <= high_ + step / 2; ++i) ticks_.push_back(low_ + i * step);
}

void Scale::logarithmic(double low, double high) {
  low_ = round_down(low);
  high_ = round_up(high);
  if (high_ <= low_) high_ = round_up(low_ * 1.5);
  const bool wide = high_ / low_ > 500;  // then only whole powers of ten
  for (double tick = low_; tick <= high_ * (1 + 1e-9); tick = round_up(tick * 1.01)) {
    const double power = std::log10(tick);
    if (!wide || std::abs(power - std::round(power)) < 1e-6) ticks_.push_back(tick);
  }
}

double Scale::place(double value) const {
  double share = 0;
  if (kind_ == Kind::linear) share = (value - low_) / (high_ - low_);
  else if (value > 0) share = std::log(value / low_) / std::log(high_ / low_);
  return std::clamp(share, 0.0, 1.0);
}

Scale::Kind kind_for(const std::vector<double>& values, double far) {
  if (values.empty()) return Scale::Kind::linear;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high / *low > far ? Scale::Kind::logarithmic : Scale::Kind::linear;
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size < 1e-12) return "0";
  if (size >= 0.9999e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 0.9999e4) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

}  // namespace bench
