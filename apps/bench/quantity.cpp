// SPDX-License-Identifier: BSD-3-Clause
#include "quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace bench {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr double kibi = 1024;
constexpr std::array<Unit, 12> size_units{{{"", 1},
                                           {"B", 1},
                                           {"k", kibi},
                                           {"K", kibi},
                                           {"KiB", kibi},
                                           {"kiB", kibi},
                                           {"m", kibi* kibi},
                                           {"M", kibi* kibi},
                                           {"MiB", kibi* kibi},
                                           {"g", kibi* kibi* kibi},
                                           {"G", kibi* kibi* kibi},
                                           {"GiB", kibi* kibi* kibi}}};
constexpr std::array<Unit, 4> time_units{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

/// The number in front times its unit.
template <std::size_t N>
std::optional<double> scaled(std::string_view word, const std::array<Unit, N>& units) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  double number = 0;
  const char* const end = word.data() + digits;
  const auto [stop, failure] = std::from_chars(word.data(), end, number);
  if (digits == 0 || failure != std::errc() || stop != end) return std::nullopt;
  std::string_view unit = word.substr(digits);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const Unit& known) { return known.name == unit; });
  if (found == units.end()) return std::nullopt;
  return number * found->factor;
}

/// 12345 as "12,345".
std::string grouped(double value) {
  std::string text = fmt::format("{:.0f}", value);
  const std::ptrdiff_t first = text.starts_with('-') ? 1 : 0;
  for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > first; place -= 3) {
    text.insert(text.begin() + place, ',');
  }
  return text;
}

}  // namespace

std::optional<std::size_t> bytes_from(std::string_view word) {
  const auto value = scaled(word, size_units);
  if (!value || *value > static_cast<double>(largest_message)) return std::nullopt;
  if (*value != std::floor(*value)) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

std::string text_of_bytes(std::size_t bytes) {
  constexpr std::array<const char*, 4> names{"B", "KiB", "MiB", "GiB"};
  auto value = static_cast<double>(bytes);
  std::size_t power = 0;
  while (value >= kibi && power + 1 < names.size()) {
    value /= kibi;
    ++power;
  }
  return fmt::format("{:.4g} {}", value, names[power]);
}

std::optional<std::chrono::nanoseconds> time_from(std::string_view word) {
  const auto value = scaled(word, time_units);
  if (!value || !(*value >= 1) || *value > 60e9) return std::nullopt;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(*value));
}

std::optional<std::size_t> number_from(std::string_view word) {
  if (word.empty() || word.size() > 9) return std::nullopt;
  std::size_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, number);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = list.find(',');
    words.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    list.remove_prefix(comma + 1);
  }
}

std::string text_of_value(double value) {
  const double size = std::abs(value);
  if (size >= 999.5) return grouped(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995 || size < 0.0005) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3f}", value);
}

}  // namespace bench
