// SPDX-License-Identifier: BSD-3-Clause
#include "engine/parking.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

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
  for (const bool unequal : {waybill::fence::has_unequal_fence(), false}) {
    Parking::Word word{0};
    Parking parking(word, unequal);
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

TEST_CASE("a knock ends a nap, at most one each; without one it lasts") {
  Parking::Word word{0};
  Parking parking(word);
  REQUIRE_FALSE(Parking::knock(word));  // nobody is there
  REQUIRE_FALSE(parking.nap(std::chrono::milliseconds(1)));
  REQUIRE_FALSE(Parking::is_open(word));
  std::atomic<int> knocks{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> knockers;
  for (int i = 0; i < 3; ++i) {
    knockers.emplace_back([&] {
      while (!stop) knocks += Parking::knock(word) ? 1 : 0;
    });
  }
  // The wake-up of a knock may come late, in the next nap: that one ends early and
  // says that nobody knocked.
  int ended = 0;
  while (ended < 2000) ended += parking.nap(std::chrono::seconds(60)) ? 1 : 0;
  stop = true;
  for (auto& knocker : knockers) knocker.join();
  REQUIRE(knocks == ended);
}

TEST_CASE("callers let a nap be, and a knock does not end a sleep without limit") {
  Parking::Word word{0};
  Parking parking(word);
  std::atomic<bool> over{false};
  std::thread napper([&] {
    static_cast<void>(parking.nap(std::chrono::seconds(60)));
    over = true;
  });
  while (!Parking::is_open(word)) std::this_thread::yield();
  for (int i = 0; i < 1000; ++i) parking.look_for_sleeper();
  REQUIRE_FALSE(over);
  parking.end_nap();
  napper.join();

  parking.announce();
  std::thread sleeper([&] { parking.sleep(); });
  REQUIRE_FALSE(Parking::knock(word));
  parking.wake();
  sleeper.join();
}

TEST_CASE("a limited sleep ends by a knock or by a caller, and tells which") {
  Parking::Word word{0};
  Parking parking(word);
  for (const bool by_knock : {true, false}) {
    parking.announce();
    std::atomic<bool> knocked{false};
    std::thread sleeper([&] { knocked = parking.sleep_for(std::chrono::seconds(60)); });
    while (!Parking::is_open(word)) std::this_thread::yield();
    if (by_knock) {
      REQUIRE(Parking::knock(word));
    } else {
      parking.look_for_sleeper();
    }
    sleeper.join();
    REQUIRE(knocked == by_knock);
  }
}

TEST_CASE("a limited sleep ends ends by itself and leaves the place free") {
  for (const bool unequal : {true, false}) {
    Parking::Word word{0};
    Parking parking(word, unequal);
    parking.announce();
    parking.sleep_for(std::chrono::milliseconds(1));
    parking.sleep();  // nobody is announced any more: returns at once
    REQUIRE(finds_sleeper_soon(parking, std::chrono::seconds(10)));
  }
}

TEST_CASE("a wake-up before the sleep is kept") {
  for (const bool unequal : {true, false}) {
    Parking::Word word{0};
    Parking parking(word, unequal);
    parking.announce();
    parking.look_for_sleeper();
    parking.sleep();  // returns at once
    parking.announce();
    parking.withdraw();
    parking.sleep();
  }
}
