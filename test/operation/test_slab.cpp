// SPDX-License-Identifier: BSD-3-Clause
#include "operation/slab.hpp"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace operation = waybill::operation;
using waybill::Operation;

TEST_CASE("slots are distinct while in use and used again afterwards") {
  std::vector<Operation*> held;
  std::set<Operation*> distinct;
  for (int i = 0; i < 10'000; ++i) {
    held.push_back(&operation::acquire());
    distinct.insert(held.back());
  }
  REQUIRE(distinct.size() == held.size());
  const std::size_t slots = operation::slots();
  for (Operation* slot : held) operation::release(*slot);
  for (auto& slot : held) slot = &operation::acquire();
  REQUIRE(operation::slots() == slots);
  for (Operation* slot : held) operation::release(*slot);
}

TEST_CASE("each release moves the generation on") {
  Operation& slot = operation::acquire();
  const std::uint32_t before = slot.generation;
  operation::release(slot);
  REQUIRE(slot.generation == before + 1);
}

TEST_CASE("slots pass between threads without growing for ever") {
  // One thread takes, another gives back: the batches must come home.
  std::vector<Operation*> moved(4096);
  const auto round = [&] {
    std::thread([&] {
      for (auto& slot : moved) slot = &operation::acquire();
    }).join();
    std::thread([&] {
      for (Operation* slot : moved) operation::release(*slot);
    }).join();
  };
  round();
  const std::size_t slots = operation::slots();
  for (int i = 0; i < 20; ++i) round();
  REQUIRE(operation::slots() <= slots + 512);
}

namespace {

/// Posts, in a way, when its thread ends.
struct PostsAtEnd {
  std::atomic<int>* owners = nullptr;  // of each slot, at most one
  ~PostsAtEnd() {
    if (owners == nullptr) return;
    for (int i = 0; i < 3; ++i) {
      std::vector<Operation*> held;
      for (int k = 0; k < 10; ++k) {
        held.push_back(&operation::acquire());
        if (held.back()->waited) ++*owners;  // somebody else has it too
        held.back()->waited = true;
      }
      std::this_thread::yield();
      for (Operation* slot : held) {
        slot->waited = false;
        operation::release(*slot);
      }
    }
  }
};

}  // namespace

TEST_CASE("a thread may post until its end, and gives back what it took") {
  std::atomic<int> shared{0};
  const auto round = [&](bool before_the_first_post) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        thread_local PostsAtEnd late;
        if (before_the_first_post) late.owners = &shared;
        operation::release(operation::acquire());
        late.owners = &shared;
      });
    }
    for (auto& thread : threads) thread.join();
  };
  for (int i = 0; i < 20; ++i) round(i % 2 == 0);
  const std::size_t slots = operation::slots();
  for (int i = 0; i < 300; ++i) round(i % 2 == 0);
  REQUIRE(shared == 0);
  REQUIRE(operation::slots() <= slots + 512);
}

namespace {

std::uint64_t next_sequence() {
  Operation& slot = operation::acquire();
  const std::uint64_t sequence = slot.record.sequence;
  operation::release(slot);
  return sequence;
}

}  // namespace

TEST_CASE("sequence numbers are unique over threads and consecutive in one") {
  const std::uint64_t first = next_sequence();
  REQUIRE(next_sequence() == first + 1);
  std::vector<std::vector<std::uint64_t>> numbers(4);
  std::vector<std::thread> threads;
  for (auto& mine : numbers) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < 10'000; ++i) mine.push_back(next_sequence());
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::uint64_t> all;
  for (const auto& mine : numbers) all.insert(mine.begin(), mine.end());
  REQUIRE(all.size() == 40'000);
}

TEST_CASE("the live ones are those that were posted") {
  std::vector<Operation*> held;
  for (int i = 0; i < 10; ++i) held.push_back(&operation::acquire());
  for (int i = 0; i < 5; ++i) held[static_cast<std::size_t>(i)]->state = operation::State::posted;
  std::size_t live = 0;
  operation::for_each_live([&](Operation&) { ++live; });
  REQUIRE(live == 5);
  for (Operation* slot : held) operation::release(*slot);
  live = 0;
  operation::for_each_live([&](Operation&) { ++live; });
  REQUIRE(live == 0);
}
