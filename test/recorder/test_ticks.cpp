// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/ticks.hpp"

#include "support/catch.hpp"

using namespace waybill::recorder;

TEST_CASE("ticks become nanoseconds, exactly at both moments, in between and outside") {
  const TickScale scale({1'000, 5'000}, {3'000, 6'000});
  CHECK(scale.nanoseconds(1'000) == 5'000);
  CHECK(scale.nanoseconds(3'000) == 6'000);
  CHECK(scale.nanoseconds(2'000) == 5'500);
  CHECK(scale.nanoseconds(3'200) == 6'100);
  CHECK(scale.nanoseconds(800) == 4'900);
}

TEST_CASE("two moments at once are no reason to divide by zero") {
  const TickScale scale({1'000, 5'000}, {1'000, 5'000});
  CHECK(scale.nanoseconds(1'000) == 5'000);
  CHECK(scale.nanoseconds(1'010) == 5'010);
}

TEST_CASE("what lies between two readings of the clock is shown there") {
  const Ticks ticks;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t before = monotonic_ns();
    const std::uint64_t now = ticks.now();
    const std::uint64_t after = monotonic_ns();
    const std::uint64_t shown = ticks.scale().nanoseconds(now);
    // The two clocks of a moment are not read at once: a thread may lose its core in between.
    const std::uint64_t slack = monotonic_ns() - before + 1'000;
    CHECK(shown + slack >= before);
    CHECK(shown <= after + slack);
  }
}
