// SPDX-License-Identifier: BSD-3-Clause
#include "engine/waiting.hpp"

#include <chrono>
#include <thread>

#include "support/catch.hpp"
#include "support/mock_transport.hpp"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test_support::MockTransport;
using waybill::WaitMode;
using waybill::engine::Engine;
using waybill::engine::sum_activity;
using waybill::engine::Waiting;

TEST_CASE("a wait is counted while it lasts") {
  MockTransport transport;
  Engine engine(transport, {.thread = false});
  const auto before = sum_activity();
  {
    const Waiting waiting(engine);
    REQUIRE(sum_activity().inside == before.inside + 1);
    REQUIRE(sum_activity().entered == before.entered + 1);
  }
  REQUIRE(sum_activity().inside == before.inside);
}

TEST_CASE("a deadline is noticed in every mode, also after a long quiet time") {
  MockTransport transport;
  for (const WaitMode mode : {WaitMode::automatic, WaitMode::spin, WaitMode::yield}) {
    Engine engine(transport, {.thread = false, .wait = mode});
    for (const auto timeout : {0ms, 1ms, 150ms}) {
      Waiting waiting(engine);
      const auto begin = Clock::now();
      const auto deadline = begin + timeout;
      while (!waiting.over(deadline)) waiting.idle(deadline);
      REQUIRE(Clock::now() >= deadline);
    }
  }
}

TEST_CASE("without a deadline a wait is never over") {
  MockTransport transport;
  Engine engine(transport, {.thread = false});
  Waiting waiting(engine);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE_FALSE(waiting.over(Clock::time_point::max()));
    waiting.idle(Clock::time_point::max());
  }
}
