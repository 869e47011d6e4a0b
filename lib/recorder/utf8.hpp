// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Names of files, functions and communicators are bytes of the program's choice;
/// JSON and XML must be UTF-8.

#include <cstddef>
#include <string_view>

namespace waybill::recorder {

struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

inline constexpr char32_t replacement_character = 0xFFFD;
inline constexpr std::string_view replacement_bytes = "\xEF\xBF\xBD";

/// The first one of @p text, which is not empty. A byte that begins no well-formed
/// sequence (Unicode 15, table 3-7) counts as a replacement character of one byte.
CodePoint first_code_point(std::string_view text) noexcept;

}  // namespace waybill::recorder
