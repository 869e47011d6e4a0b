// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/utf8.hpp"

#include <string_view>

#include "hostile.hpp"
#include "support/catch.hpp"

using waybill::recorder::CodePoint;
using waybill::recorder::first_code_point;

TEST_CASE("well-formed sequences of every length") {
  const auto is = [](std::string_view text, char32_t value, std::size_t bytes) {
    const CodePoint point = first_code_point(text);
    return point.value == value && point.bytes == bytes;
  };
  using namespace std::string_view_literals;
  CHECK(is("\0"sv, 0, 1));
  CHECK(is("a\xC3", 'a', 1));
  CHECK(is("\x7F", 0x7F, 1));
  CHECK(is("\xC2\x80", 0x80, 2));
  CHECK(is("\xDF\xBF", 0x7FF, 2));
  CHECK(is("\xE0\xA0\x80", 0x800, 3));
  CHECK(is("\xED\x9F\xBF", 0xD7FF, 3));
  CHECK(is("\xEE\x80\x80", 0xE000, 3));
  CHECK(is("\xEF\xBF\xBF", 0xFFFF, 3));
  CHECK(is("\xF0\x90\x80\x80", 0x10000, 4));
  CHECK(is("\xF4\x8F\xBF\xBF", 0x10FFFF, 4));
}

TEST_CASE("what is not UTF-8 is replaced byte by byte") {
  for (const auto& [bytes, expected] : test_support::hostile_texts()) {
    std::string text;
    for (std::string_view rest = bytes; !rest.empty();) {
      const CodePoint point = first_code_point(rest);
      REQUIRE(point.bytes >= 1);
      REQUIRE(point.bytes <= rest.size());
      text += point.value == waybill::recorder::replacement_character
                  ? waybill::recorder::replacement_bytes
                  : rest.substr(0, point.bytes);
      rest.remove_prefix(point.bytes);
    }
    CHECK(text == expected);
  }
}
