// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Options from the program and the environment, and where each came from.

#include <string>
#include <vector>

#include "waybill/options.hpp"

namespace waybill::runtime {

struct Settings {
  Options options;
  std::vector<Setting> list;
  /// One line about the first bad environment value, or empty.
  std::string environment_error;
  /// One line per WAYBILL_* variable that is no setting: a misspelt name.
  std::vector<std::string> unknown_variables;
};

/// The environment wins over the program, which wins over the defaults. Throws
/// Errc::invalid_option for a value in @p program that makes no sense.
Settings resolve(const Options& program);

}  // namespace waybill::runtime
