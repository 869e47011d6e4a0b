// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/duration.hpp"

#include "support/catch.hpp"

using namespace std::chrono_literals;
using waybill::runtime::format_duration;
using waybill::runtime::parse_duration;

TEST_CASE("what people write") {
  REQUIRE(parse_duration("5") == 5s);
  REQUIRE(parse_duration("2.5") == 2500ms);
  REQUIRE(parse_duration("0") == 0ms);
  REQUIRE(parse_duration("250ms") == 250ms);
  REQUIRE(parse_duration("5s") == 5s);
  REQUIRE(parse_duration("1min") == 60s);
  REQUIRE(parse_duration("86400") == 24h);
}

TEST_CASE("what is refused") {
  for (const char* text : {"", "-1", "-0", "5 s", "5h", "s", "1e99", "1e3", "nan", "inf", "0x10",
                           "5s5", "86401", "99999999999999999999min", " 5", "+5"}) {
    INFO(text);
    REQUIRE_FALSE(parse_duration(text).has_value());
  }
}

TEST_CASE("and how it is shown") {
  REQUIRE(format_duration(5s) == "5s");
  REQUIRE(format_duration(250ms) == "250ms");
  REQUIRE(format_duration(2500ms) == "2500ms");
  REQUIRE(format_duration(0ms) == "0s");
}
