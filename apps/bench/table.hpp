// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The results of a test for people.

#include <string>
#include <vector>

#include "result.hpp"

namespace bench {

/// A block per quantity, its title saying which direction is good.
[[nodiscard]] std::string table_of(const std::vector<Result>& results);

}  // namespace bench
