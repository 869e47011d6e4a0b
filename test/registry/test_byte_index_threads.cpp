// SPDX-License-Identifier: BSD-3-Clause
#include "registry/byte_index.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "registry/footprint.hpp"
#include "registry/insert_as_registry.hpp"
#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

void run_threads(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> running(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) running[static_cast<std::size_t>(i)] = std::thread(body, i);
  for (std::thread& each : running) each.join();
}

/// Lets two threads go on at the same moment, closer together than std::barrier.
class Gate {
 public:
  void pass() {
    const int ticket = arrived_.fetch_add(1);
    const int both = ticket - ticket % 2 + 2;
    for (int spins = 0; arrived_.load() < both; ++spins) {
      if (spins > 500) std::this_thread::yield();
    }
  }

 private:
  std::atomic<int> arrived_{0};
};

/// How many rounds had no report of the pair, one, and two.
using Reports = std::array<int, 3>;

/// Two threads insert overlapping records at the same moment, again and again.
Reports race(std::size_t bytes, std::size_t other_bytes) {
  ByteIndex index;
  Reports reports{};
  std::atomic<int> round_reports{0};
  std::atomic<bool> over{false};
  Gate gate;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  run_threads(2, [&](int number) {
    const std::uintptr_t place = std::uintptr_t{1} << 40;
    Record record;
    record.access = Access::write;
    record.footprint = number == 0 ? contiguous_footprint(place - bytes / 2, bytes)
                                   : contiguous_footprint(place - 8, other_bytes);
    for (int round = 0; !over; ++round) {
      gate.pass();
      for (volatile int delay = number == 0 ? round % 64 : 32; delay > 0;) delay = delay - 1;
      round_reports += static_cast<int>(insert_as_registry(index, record).size());
      gate.pass();
      index.remove(record);
      if (number == 0) {
        ++reports[static_cast<std::size_t>(round_reports.exchange(0))];
        over = std::chrono::steady_clock::now() > end;
      }
      gate.pass();
    }
  });
  return reports;
}

}  // namespace

TEST_CASE("of two racing posts at least one sees the other") {
  SECTION("on one level exactly one") {
    for (const std::size_t bytes : {64UL, 1UL << 20}) {
      const Reports reports = race(bytes, bytes);
      CHECK(reports[0] == 0);
      CHECK(reports[1] > 0);
      CHECK(reports[2] == 0);
    }
  }
  SECTION("on two levels") {
    CHECK(race(64, 1UL << 16)[0] == 0);
    CHECK(race(64, 1UL << 34)[0] == 0);
    CHECK(race(1UL << 12, 1UL << 24)[0] == 0);
  }
}

TEST_CASE("threads with buffers of their own find nothing") {
  ByteIndex index;
  std::atomic<std::size_t> found{0};
  run_threads(4, [&](int number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::vector<Record> live(50);
    for (int step = 0; step < 20000; ++step) {
      // Slots of 8 KiB, dealt out to the threads in turn.
      const std::size_t slot = random() % live.size();
      const std::uintptr_t begin = 0x1000000 + (slot * 4 + static_cast<std::size_t>(number)) * 8192;
      Record& record = live[slot];
      index.remove(record);
      record.footprint = contiguous_footprint(at(begin), random() % 8192 + 1);
      record.access = random() % 2 == 0 ? Access::read : Access::write;
      found += insert_as_registry(index, record).size();
    }
    for (Record& record : live) index.remove(record);
  });
  CHECK(found == 0);
  Record all;
  all.footprint = contiguous_footprint(at(0), address_limit);
  all.access = Access::write;
  CHECK(insert_as_registry(index, all).empty());
  index.remove(all);
}

TEST_CASE("threads that share memory get whole copies of each other's records") {
  ByteIndex index;
  std::atomic<std::size_t> found{0};
  std::atomic<std::size_t> torn{0};
  run_threads(4, [&](int number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number) + 100);
    std::vector<Record> live(20);
    const auto list = make_block_list({{0, 8}, {16, 40}, {100, 4}}, 128);
    for (int step = 0; step < 5000; ++step) {
      Record& record = live[random() % live.size()];
      index.remove(record);
      const std::uintptr_t begin = 0x1000000 + random() % 1000000;
      record.footprint =
          random() % 8 == 0 ? blocks_footprint(at(begin), random() % 100 + 1, list)
                            : contiguous_footprint(at(begin), random() % (1U << random() % 20) + 1);
      record.access = random() % 4 == 0 ? Access::write : Access::read;
      record.sequence = random();
      record.bytes = ~record.sequence;
      for (const Record& other : insert_as_registry(index, record)) {
        ++found;
        if (other.bytes != ~other.sequence) ++torn;
      }
      for (const Record& other : index.touching(begin, 100)) {
        if (other.bytes != ~other.sequence) ++torn;
      }
    }
    for (Record& record : live) index.remove(record);
  });
  CHECK(found > 0);
  CHECK(torn == 0);
}
