// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where an operation was posted.

#include <cstdint>

namespace waybill {

/// The same as std::source_location, which clang before 16 does not have with
/// libstdc++; a type of our own keeps one library usable from both compilers.
/// Always the last, defaulted argument of a posting call: a wrapper takes one
/// itself and hands it on, so that findings name the wrapper's caller.
class SourceLocation {
 public:
  constexpr SourceLocation() noexcept = default;

  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          const char* function = __builtin_FUNCTION(),
                                          std::uint32_t line = __builtin_LINE()) noexcept {
    SourceLocation here;
    here.file_ = file;
    here.function_ = function;
    here.line_ = line;
    return here;
  }

  [[nodiscard]] constexpr const char* file_name() const noexcept { return file_; }
  [[nodiscard]] constexpr const char* function_name() const noexcept { return function_; }
  [[nodiscard]] constexpr std::uint32_t line() const noexcept { return line_; }

 private:
  const char* file_ = "";  // static storage: the compiler's own literals
  const char* function_ = "";
  std::uint32_t line_ = 0;
};

}  // namespace waybill
