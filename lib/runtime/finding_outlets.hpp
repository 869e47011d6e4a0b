// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What becomes of findings, as the options ask for.

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "recorder/outlets.hpp"
#include "waybill/options.hpp"

namespace waybill::runtime {

/// What of it cannot be had on this process: for each feature one line, or none.
using OutletProblems = std::array<std::string, 3>;

/// @p afterwards follows each finding that is not suppressed. A feature that has a
/// problem is left out.
std::unique_ptr<recorder::Outlets> make_outlets(const Options& options, int rank, int ranks,
                                                std::function<void(const Finding&)> afterwards,
                                                OutletProblems& problems);

}  // namespace waybill::runtime
