// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The lines that start persistent operations. There are few, and a Record has room for a
/// small number only, so each gets one: the first 255. Any thread; kept as long as the process.

#include <cstdint>

#include "waybill/finding.hpp"

namespace waybill::registry {

/// The number of this line, from 1; 0 if there is no memory or no number left.
std::uint8_t number_of_start(const PostingSite& site) noexcept;

/// The line with that number; for 0 one with line 0.
PostingSite start_site(std::uint8_t number) noexcept;

}  // namespace waybill::registry
