// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// JSON in a signal handler.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "recorder/safe_file.hpp"

namespace waybill::recorder {

/// Puts commas where they belong; the caller opens and closes in order. Safe in a
/// signal handler.
class SafeJson {
 public:
  explicit SafeJson(SafeFile& file) noexcept : file_(file) {}

  void begin_object() noexcept { begin('{'); }
  void end_object() noexcept { end('}'); }
  void begin_array() noexcept { begin('['); }
  void end_array() noexcept { end(']'); }

  /// Of the member whose value comes next. Plain ASCII.
  void key(std::string_view name) noexcept;
  void number(std::uint64_t value) noexcept;
  void signed_number(std::int64_t value) noexcept;
  void null() noexcept;
  /// Whatever the bytes are, the result is JSON: what is no UTF-8 becomes U+FFFD.
  void string(std::string_view text) noexcept;
  /// A string of the program, which may be gone with the library that held it; null if
  /// so, or if @p text is null. Cut after 1,024 bytes.
  void foreign_string(const char* text) noexcept;

  /// What comes next begins on a line of its own.
  void new_line() noexcept { line_break_ = true; }

 private:
  void begin(char bracket) noexcept;
  void end(char bracket) noexcept;
  void separate() noexcept;
  void digits(std::uint64_t value) noexcept;
  bool is_readable(const char* at) noexcept;

  SafeFile& file_;
  bool comma_ = false;  // before the next value or key
  bool line_break_ = false;
  std::uintptr_t readable_page_ = 1;  // the last one that was asked for; none so far
};

/// How many bytes at the front of @p text are one character in UTF-8; 0 if none
/// (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

}  // namespace waybill::recorder
