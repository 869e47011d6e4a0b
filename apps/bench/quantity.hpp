// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Sizes, times and lists as people write them.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// MPI counts in the raw half are an int.
inline constexpr std::size_t largest_message = std::size_t{1} << 30;

/// "8", "8B", "64k", "64K", "64KiB", "1M", "1 MiB", "1GiB": powers of 1024, up to largest_message.
[[nodiscard]] std::optional<std::size_t> bytes_from(std::string_view word);
/// "8 B", "64 KiB", "1.5 MiB".
[[nodiscard]] std::string text_of_bytes(std::size_t bytes);

/// "3ms", "200us", "1.5s": above 0 and at most one minute.
[[nodiscard]] std::optional<std::chrono::nanoseconds> time_from(std::string_view word);

/// A whole number from 0 on, of at most 9 digits.
[[nodiscard]] std::optional<std::size_t> number_from(std::string_view word);

/// The words between commas; an empty word stays, so that it can be refused.
[[nodiscard]] std::vector<std::string> words_of(std::string_view list);

/// Three digits that matter, without exponent: "0.0123", "1.23", "12.3", "12,345".
[[nodiscard]] std::string text_of_value(double value);

}  // namespace bench
