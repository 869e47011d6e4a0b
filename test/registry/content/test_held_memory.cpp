// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/held_memory.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "registry/footprint.hpp"
#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

constexpr std::uintptr_t base = std::uintptr_t{1} << 40U;

Footprint memory(std::uintptr_t begin, std::size_t bytes) {
  return contiguous_footprint(begin, bytes);
}

bool meet(const Footprint& one, std::uintptr_t begin, std::uintptr_t end) {
  return one.begin < end && begin < one.end;
}

std::size_t some_bytes(std::mt19937_64& random) {
  return 1 + random() % (std::size_t{1} << (random() % 22));
}

}  // namespace

TEST_CASE("memory is held to 8 bytes, from hold() to let_go(), at any size") {
  const auto held = std::make_unique<HeldMemory>();
  for (std::size_t bytes = 1; bytes <= std::size_t{1} << 32U; bytes = bytes * 3 + 1) {
    for (const std::uintptr_t shift : {0U, 8U, 200U, 4000U, 70000U}) {
      const Footprint mine = memory(base + shift, bytes);
      INFO(bytes << " B at " << shift);
      CHECK_FALSE(held->may_hold(mine.begin, mine.end));
      held->hold(mine);
      CHECK(held->count().load() == 1);
      CHECK(held->may_hold(mine.begin, mine.end));
      CHECK(held->may_hold(mine.begin, mine.begin + 1));
      CHECK(held->may_hold(mine.end - 1, mine.end));
      CHECK(held->may_hold(mine.begin + bytes / 2, mine.end));
      CHECK(held->may_hold(base - (std::size_t{1} << 34U), base + (std::size_t{1} << 34U)));
      CHECK_FALSE(held->may_hold(mine.begin - 24, mine.begin - 8));
      CHECK_FALSE(held->may_hold(mine.end + 8, mine.end + 24));
      held->let_go(mine);
      CHECK_FALSE(held->may_hold(mine.begin, mine.end));
      CHECK(held->count().load() == 0);
    }
  }
}

TEST_CASE("what is held is never denied, and seldom anything else claimed") {
  std::mt19937_64 random(1);
  const auto held = std::make_unique<HeldMemory>();
  std::vector<Footprint> all;
  int asked = 0;
  int wrong = 0;
  for (int round = 0; round < 20000; ++round) {
    if (all.size() < 50 || random() % 2 == 0) {
      all.push_back(memory(base + random() % (std::size_t{1} << 38U), some_bytes(random)));
      held->hold(all.back());
    } else {
      std::swap(all[random() % all.size()], all.back());
      held->let_go(all.back());
      all.pop_back();
    }
    if (all.size() > 100) {
      for (const Footprint& each : all) held->let_go(each);
      all.clear();
    }
    const bool near = !all.empty() && random() % 2 == 0;
    const std::uintptr_t begin =
        near ? all.front().begin + random() % 300 - 150 : base + random() % (std::size_t{1} << 38U);
    const std::uintptr_t end = begin + 1 + random() % 3000;
    const bool holds = std::any_of(all.begin(), all.end(),
                                   [&](const Footprint& one) { return meet(one, begin, end); });
    const bool said = held->may_hold(begin, end);
    REQUIRE((said || !holds));
    asked += holds ? 0 : 1;
    wrong += said && !holds ? 1 : 0;
  }
  CHECK(wrong < asked / 10);
  for (const Footprint& each : all) held->let_go(each);
  CHECK_FALSE(held->may_hold(8, std::uintptr_t{1} << 47U));
}

TEST_CASE("more than 4 GiB is held, too") {
  const auto held = std::make_unique<HeldMemory>();
  const Footprint mine = memory(base, std::size_t{5} << 30U);
  held->hold(mine);
  CHECK(held->may_hold(mine.end - 1, mine.end));
  held->let_go(mine);
  CHECK_FALSE(held->may_hold(mine.begin, mine.end));
}

TEST_CASE("threads hold, let go and ask at once") {
  const auto held = std::make_unique<HeldMemory>();
  std::vector<std::thread> threads;
  std::atomic<int> denied{0};
  for (std::uintptr_t number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      for (std::size_t i = 0; i < 5000; ++i) {
        const Footprint mine = memory(base + number * 64, 64 + (i % 3) * 1000);
        held->hold(mine);
        if (!held->may_hold(mine.end - 1, mine.end)) denied.fetch_add(1);
        held->let_go(mine);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(denied.load() == 0);
  CHECK_FALSE(held->may_hold(base - 1000, base + 10000));
}
