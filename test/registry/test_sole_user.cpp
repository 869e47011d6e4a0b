// SPDX-License-Identifier: BSD-3-Clause
#include "registry/sole_user.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

/// Counts as the byte index does: without a lock where it is alone, else with one.
class Counter {
 public:
  void add_one() {
    const Use use(user_);
    if (use.alone()) {
      ++count_;
      ++alone_;
    } else {
      const std::lock_guard lock(mutex_);
      ++count_;
    }
  }
  [[nodiscard]] long count() const { return count_; }
  [[nodiscard]] long alone() const { return alone_; }

 private:
  SoleUser user_;
  std::mutex mutex_;
  long count_ = 0;
  long alone_ = 0;
};

}  // namespace

TEST_CASE("the thread that made it needs no locks, until another one comes") {
  Counter counter;
  for (int i = 0; i < 100; ++i) counter.add_one();
  REQUIRE(counter.alone() == (waybill::fence::has_unequal_fence() ? 100 : 0));
  const long before = counter.alone();
  std::thread([&] { counter.add_one(); }).join();
  for (int i = 0; i < 100; ++i) counter.add_one();
  REQUIRE(counter.alone() == before);
  REQUIRE(counter.count() == 201);
}

TEST_CASE("whoever made it may never use it") {
  std::optional<Counter> counter;
  std::thread([&] { counter.emplace(); }).join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) counter->add_one();
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(counter->count() == 4000);
}

TEST_CASE("nothing is lost when others come in the middle") {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    Counter counter;
    constexpr int each = 2000;
    std::vector<std::thread> others;
    std::atomic<bool> go{false};
    for (int i = 0; i < 3; ++i) {
      others.emplace_back([&, delay = random() % 3000] {
        while (!go) std::this_thread::yield();
        for (volatile unsigned left = delay; left > 0;) left = left - 1;
        for (int k = 0; k < each; ++k) counter.add_one();
      });
    }
    go = true;
    for (int k = 0; k < each; ++k) counter.add_one();
    for (std::thread& other : others) other.join();
    REQUIRE(counter.count() == 4 * each);
  }
}
