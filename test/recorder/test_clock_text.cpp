// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/clock_text.hpp"

#include "support/catch.hpp"

using namespace std::chrono_literals;
using waybill::recorder::clock_text;
using Time = std::chrono::system_clock::time_point;

TEST_CASE("times are written in UTC with microseconds") {
  CHECK(clock_text(Time()) == "1970-01-01T00:00:00.000000Z");
  CHECK(clock_text(Time(951'782'400s + 250us)) == "2000-02-29T00:00:00.000250Z");
  CHECK(clock_text(Time(1'234'567'890s + 999'999us + 999ns)) == "2009-02-13T23:31:30.999999Z");
}
