// SPDX-License-Identifier: BSD-3-Clause
#include "engine/engine.hpp"

#include <chrono>
#include <thread>
#include <vector>

#include "engine/waiting.hpp"
#include "support/catch.hpp"
#include "support/mock_transport.hpp"

using namespace std::chrono_literals;
using test_support::MockTransport;
using waybill::engine::Adopted;
using waybill::engine::Engine;
using waybill::engine::EngineOptions;
using waybill::engine::Waiting;

namespace {

/// Done after some steps; counts them, and notices a step too many.
struct Countdown : Adopted {
  explicit Countdown(int steps) : left(steps) {
    step = [](Adopted& self) noexcept {
      auto& countdown = static_cast<Countdown&>(self);
      if (countdown.left == 0) countdown.stepped_after_end = true;
      return --countdown.left == 0;
    };
  }
  std::atomic<int> left;
  std::atomic<bool> stepped_after_end{false};
};

template <class Condition>
bool within(std::chrono::seconds limit, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

}  // namespace

TEST_CASE("with nothing in flight the thread parks and calls nothing") {
  MockTransport transport;
  Engine engine(transport, {});
  REQUIRE(engine.has_thread());
  std::this_thread::sleep_for(100ms);
  const std::size_t calls = transport.progress_calls;
  std::this_thread::sleep_for(100ms);
  REQUIRE(transport.progress_calls == calls);
}

TEST_CASE("with an operation in flight and nobody inside, the thread drives progress") {
  MockTransport transport;
  Engine engine(transport, {});
  std::this_thread::sleep_for(60ms);  // parked
  engine.posted();
  REQUIRE(within(10s, [&] { return transport.progress_calls > 10; }));
  Engine::completed();
  std::this_thread::sleep_for(100ms);
  const std::size_t calls = transport.progress_calls;
  std::this_thread::sleep_for(50ms);
  REQUIRE(transport.progress_calls == calls);
}

TEST_CASE("while somebody waits, the thread leaves progress to him") {
  MockTransport transport;
  Engine engine(transport, {});
  {
    const Waiting waiting(engine);
    engine.posted();
    std::this_thread::sleep_for(50ms);  // whatever was under way has ended
    const std::size_t calls = transport.progress_calls;
    std::this_thread::sleep_for(50ms);
    REQUIRE(transport.progress_calls == calls);
  }
  REQUIRE(within(10s, [&] { return transport.progress_calls > 10; }));
  Engine::completed();
}

TEST_CASE("without a thread nothing moves by itself") {
  MockTransport transport;
  Engine engine(transport, {.thread = false});
  REQUIRE_FALSE(engine.has_thread());
  engine.posted();
  std::this_thread::sleep_for(20ms);
  REQUIRE(transport.progress_calls == 0);
  Engine::completed();
}

TEST_CASE("adopted operations are stepped to their end and never beyond") {
  for (const bool thread : {true, false}) {
    MockTransport transport;
    Engine engine(transport, {.thread = thread});
    std::vector<std::unique_ptr<Countdown>> all;
    for (int i = 0; i < 1000; ++i) {
      all.push_back(std::make_unique<Countdown>(1 + i % 7));
      engine.posted();
      engine.adopt(*all.back());
    }
    const bool done = within(20s, [&] {
      if (!thread) engine.assist();
      return engine.adopted() == 0;
    });
    REQUIRE(done);
    for (const auto& countdown : all) {
      REQUIRE(countdown->left == 0);
      REQUIRE_FALSE(countdown->stepped_after_end);
      Engine::completed();
    }
  }
}

TEST_CASE("several threads adopt and assist at once") {
  MockTransport transport;
  Engine engine(transport, {});
  constexpr int each = 500;
  std::vector<std::unique_ptr<Countdown>> all;
  for (int i = 0; i < 4 * each; ++i) all.push_back(std::make_unique<Countdown>(1 + i % 3));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        engine.adopt(*all[static_cast<std::size_t>(t * each + i)]);
        engine.assist();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  REQUIRE(within(20s, [&] {
    engine.assist();
    return engine.adopted() == 0;
  }));
  for (const auto& countdown : all) REQUIRE_FALSE(countdown->stepped_after_end);
}

TEST_CASE("stop ends a parked, a napping and a driving thread") {
  for (const auto pause : {0ms, 5ms, 60ms}) {
    for (const bool pending : {false, true}) {
      MockTransport transport;
      Engine engine(transport, {});
      if (pending) engine.posted();
      std::this_thread::sleep_for(pause);
      engine.stop();
      REQUIRE_FALSE(engine.has_thread());
      if (pending) Engine::completed();
    }
  }
}
