// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/wildcard.hpp"

namespace waybill::recorder {

bool is_like(std::string_view text, std::string_view pattern) noexcept {
  std::size_t in_text = 0;
  std::size_t in_pattern = 0;
  std::size_t after_star = std::string_view::npos;  // of the last one met
  std::size_t taken_by_star = 0;                    // end of what it stands for
  while (in_text < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      taken_by_star = in_text;
    } else if (in_pattern < pattern.size() &&
               (pattern[in_pattern] == '?' || pattern[in_pattern] == text[in_text])) {
      ++in_pattern;
      ++in_text;
    } else if (after_star != std::string_view::npos) {  // the star takes one more
      in_pattern = after_star;
      in_text = ++taken_by_star;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}

}  // namespace waybill::recorder
