// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Patterns of suppressions.

#include <string_view>

namespace waybill::recorder {

/// Whether the whole text is like the pattern: `*` stands for any number of any
/// characters, `?` for one. Time grows with the product of both lengths at most.
bool is_like(std::string_view text, std::string_view pattern) noexcept;

}  // namespace waybill::recorder
