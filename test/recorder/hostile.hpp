// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Names that a format could stumble over.

#include <string>
#include <utility>
#include <vector>

namespace test_support {

/// Bytes, and the UTF-8 text that should come out where all characters are allowed.
inline std::vector<std::pair<std::string, std::string>> hostile_texts() {
  const std::string lost = "\xEF\xBF\xBD";  // U+FFFD
  return {
      {"", ""},
      {"plain", "plain"},
      {R"(a"b\c/d)", R"(a"b\c/d)"},
      {"<a href=\"x\">&amp;]]></a>", "<a href=\"x\">&amp;]]></a>"},
      {"line\nbreak\ttab\rreturn", "line\nbreak\ttab\rreturn"},
      {"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x93\xA6",
       "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x93\xA6"},
      {"latin-1: \xFC.", "latin-1: " + lost + "."},
      {"\xC3", lost},                                   // cut off
      {"\xE2\x82", lost + lost},                        //
      {"\xC0\xAF", lost + lost},                        // overlong '/'
      {"\xE0\x80\xAF", lost + lost + lost},             //
      {"\xED\xA0\x80", lost + lost + lost},             // a surrogate
      {"\xF4\x90\x80\x80", lost + lost + lost + lost},  // above U+10FFFF
      {"\xFF\xFE", lost + lost},
      {lost, lost},
  };
}

}  // namespace test_support
