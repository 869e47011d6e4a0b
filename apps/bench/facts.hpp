// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the head of a report says about this job.

#include <string>

#include "report.hpp"
#include "settings.hpp"

namespace bench {

struct Facts {
  MpiFacts mpi;
  std::vector<SettingInForce> settings;
  std::string forced_check;  ///< the level that WAYBILL_CHECK forces, or empty
};

/// Collective; makes a Runtime and ends it.
[[nodiscard]] Facts gather_facts(const Settings& settings);

}  // namespace bench
