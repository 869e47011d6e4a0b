// SPDX-License-Identifier: BSD-3-Clause
#include "engine/parking.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "support/catch.hpp"

using waybill::engine::Parking;

namespace {

/// Whether a caller would find a sleeper: withdraws it if there is one.
bool finds_sleeper_soon(Parking& parking, std::chrono::milliseconds limit) {
  parking.announce();
  std::atomic<bool> woken{false};
  std::thread sleeper([&] {
    parking.sleep();
    woken = true;
  });
  parking.look_for_sleeper();
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!woken && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  const bool found = woken;
  parking.wake();
  sleeper.join();
  return found;
}

}  // namespace

TEST_CASE("no wake-up is lost, whatever the interleaving and the fences") {
  // The sleeper must see each of the caller's numbers; a lost wake-up hangs, and
  // the time limit of the tests reports it.
  constexpr int rounds = 20'000;
  for (const bool unequal : {waybill::engine::has_unequal_fence(), false}) {
    Parking parking(unequal);
    std::atomic<int> work{0};
    std::atomic<int> seen{0};
    std::thread sleeper([&] {
      while (seen < rounds) {
        parking.announce();
        if (work.load(std::memory_order_relaxed) != seen) {
          parking.withdraw();
          seen = work.load();
          continue;
        }
        parking.sleep();
      }
    });
    for (int i = 1; i <= rounds; ++i) {
      work.store(i, std::memory_order_relaxed);
      parking.look_for_sleeper();
      if (i % 3 == 0) {
        while (seen < i) std::this_thread::yield();  // let it go to sleep now and then
      }
    }
    sleeper.join();
    REQUIRE(seen == rounds);
  }
}

TEST_CASE("a limited sleep ends by itself and leaves the place free") {
  for (const bool unequal : {true, false}) {
    Parking parking(unequal);
    parking.announce();
    parking.sleep_for(std::chrono::milliseconds(1));
    parking.sleep();  // nobody is announced any more: returns at once
    REQUIRE(finds_sleeper_soon(parking, std::chrono::seconds(10)));
  }
}

TEST_CASE("a wake-up before the sleep is kept") {
  for (const bool unequal : {true, false}) {
    Parking parking(unequal);
    parking.announce();
    parking.look_for_sleeper();
    parking.sleep();  // returns at once
    parking.announce();
    parking.withdraw();
    parking.sleep();
  }
}
