// SPDX-License-Identifier: BSD-3-Clause
#include "engine/activity.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using waybill::engine::ActivitySum;
using waybill::engine::my_activity;
using waybill::engine::sum_activity;
using waybill::engine::ThreadActivity;

TEST_CASE("a thread always meets the same record, another thread another one") {
  ThreadActivity* const mine = &my_activity();
  REQUIRE(mine == &my_activity());
  ThreadActivity* theirs = nullptr;
  std::thread([&] { theirs = &my_activity(); }).join();
  REQUIRE(theirs != mine);
}

TEST_CASE("the record of a thread that ended is used again and keeps its counts") {
  ThreadActivity* first = nullptr;
  std::thread([&] {
    first = &my_activity();
    ThreadActivity::add_one(first->posted);
    ThreadActivity::add_one(first->completed);
  }).join();
  const ActivitySum before = sum_activity();
  ThreadActivity* second = nullptr;
  std::thread([&] { second = &my_activity(); }).join();
  REQUIRE(second == first);
  REQUIRE(sum_activity().posted == before.posted);
  REQUIRE(sum_activity().completed == before.completed);
}

TEST_CASE("pending is never seen too small while operations pass between threads") {
  // Producers post and hand over to consumers, which complete. One operation is
  // in flight all the time, so that the sum must never be 0.
  ThreadActivity::add_one(my_activity().posted);
  constexpr int rounds = 20'000;
  std::atomic<int> handed{0};
  std::atomic<bool> stop{false};
  std::thread producer([&] {
    for (int i = 0; i < rounds; ++i) {
      ThreadActivity::add_one(my_activity().posted);
      handed.fetch_add(1, std::memory_order_release);
    }
  });
  std::thread consumer([&] {
    for (int done = 0; done < rounds;) {
      if (handed.load(std::memory_order_acquire) <= done) {
        std::this_thread::yield();
        continue;
      }
      ThreadActivity::add_one(my_activity().completed);
      ++done;
    }
    stop = true;
  });
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  while (!stop) {
    const std::uint64_t pending = sum_activity().pending();
    least = std::min(least, pending);
    most = std::max(most, pending);
  }
  producer.join();
  consumer.join();
  ThreadActivity::add_one(my_activity().completed);
  REQUIRE(least >= 1);
  REQUIRE(most <= 2 * rounds);  // a wrap below zero would be huge
}
