// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace waybill::runtime {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || std::signbit(number)) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double milliseconds = 0;
  if (unit.empty() || unit == "s") milliseconds = number * 1000;
  else if (unit == "ms") milliseconds = number;
  else if (unit == "min") milliseconds = number * 60'000;
  else return std::nullopt;
  if (milliseconds > static_cast<double>(longest_duration.count())) return std::nullopt;
  return std::chrono::milliseconds(std::llround(milliseconds));
}

std::string format_duration(std::chrono::milliseconds duration) {
  if (duration.count() % 1000 != 0) return fmt::format("{}ms", duration.count());
  return fmt::format("{}s", duration.count() / 1000);
}

}  // namespace waybill::runtime
