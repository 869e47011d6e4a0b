// SPDX-License-Identifier: BSD-3-Clause
#include "engine/parking.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "support/catch.hpp"

using waybill::engine::Parking;

TEST_CASE("no wake-up is lost, whatever the interleaving") {
  // The sleeper must see each of the caller's numbers; a lost wake-up hangs, and
  // the time limit of the tests reports it.
  constexpr int rounds = 20'000;
  Parking parking;
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
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (parking.occupied()) parking.wake();
    if (i % 3 == 0) {
      while (seen < i) std::this_thread::yield();  // let it go to sleep now and then
    }
  }
  sleeper.join();
  REQUIRE(seen == rounds);
}

TEST_CASE("a limited sleep ends by itself and leaves the place free") {
  Parking parking;
  parking.announce();
  parking.sleep_for(std::chrono::milliseconds(1));
  REQUIRE_FALSE(parking.occupied());
}

TEST_CASE("a wake-up before the sleep is kept") {
  Parking parking;
  parking.announce();
  parking.wake();
  parking.sleep();  // returns at once
  REQUIRE_FALSE(parking.occupied());
}
