// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Numbers of bytes as people write them.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::runtime {

/// "4096", "64KiB", "16MiB", "1GiB"; nothing else.
std::optional<std::size_t> parse_byte_size(std::string_view text);

/// In the largest unit that leaves a whole number.
std::string format_byte_size(std::size_t bytes);

}  // namespace waybill::runtime
