// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The check levels that are measured. A new level of the library is added here.

#include <array>
#include <string>
#include <string_view>

#include "waybill/options.hpp"

namespace bench {

struct CheckLevel {
  std::string_view name;  ///< as in WAYBILL_CHECK
  waybill::Check check;
};

inline constexpr std::array check_levels{
    CheckLevel{"off", waybill::Check::off},
    CheckLevel{"basic", waybill::Check::basic},
    CheckLevel{"content", waybill::Check::content},
    CheckLevel{"guard", waybill::Check::guard},
};

/// nullptr for another word.
[[nodiscard]] constexpr const CheckLevel* check_level_named(std::string_view name) {
  for (const CheckLevel& level : check_levels) {
    if (level.name == name) return &level;
  }
  return nullptr;
}

[[nodiscard]] inline std::string check_level_names() {
  std::string names;
  for (const CheckLevel& level : check_levels) {
    if (!names.empty()) names += ", ";
    names += level.name;
  }
  return names;
}

}  // namespace bench
