// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Durations as people write them.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::runtime {

inline constexpr std::chrono::milliseconds longest_duration = std::chrono::hours(24);

/// "5", "2.5" (seconds), "250ms", "5s", "1min". Nothing else, nothing negative,
/// nothing beyond longest_duration.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// "250ms" or "5s".
std::string format_duration(std::chrono::milliseconds duration);

}  // namespace waybill::runtime
