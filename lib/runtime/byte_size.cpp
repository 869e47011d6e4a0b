// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/byte_size.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace waybill::runtime {

namespace {

struct Unit {
  std::string_view name;
  std::size_t bytes;
};

constexpr Unit units[] = {{"GiB", std::size_t{1} << 30U},
                          {"MiB", std::size_t{1} << 20U},
                          {"KiB", std::size_t{1} << 10U},
                          {"B", 1},
                          {"", 1}};

}  // namespace

std::optional<std::size_t> parse_byte_size(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(number, unit.bytes, &bytes)) return std::nullopt;
    return bytes;
  }
  return std::nullopt;
}

std::string format_byte_size(std::size_t bytes) {
  for (const Unit& unit : units) {
    if (bytes >= unit.bytes && bytes % unit.bytes == 0 && unit.bytes > 1) {
      return fmt::format("{}{}", bytes / unit.bytes, unit.name);
    }
  }
  return fmt::format("{}", bytes);
}

}  // namespace waybill::runtime
