// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_lane.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "recorder/event_of.hpp"
#include "support/catch.hpp"

using namespace waybill::recorder;
using recorder_test::event_of;
using recorder_test::is_event_of;

namespace {

constexpr std::uint64_t size = 64;

/// A lane with memory of its own.
struct TestLane {
  explicit TestLane(bool shared) { lane.use(entries.get(), size, shared); }
  std::unique_ptr<FlightEntry[]> entries{new FlightEntry[size]};
  FlightLane lane;
};

/// Reads all that is there; how many events were whole. Each must be one that was written.
std::uint64_t read_all(const FlightLane& lane, std::uint64_t& mixtures) {
  std::uint64_t whole = 0;
  const std::uint64_t end = lane.end();
  for (std::uint64_t number = lane.begin(end); number < end; ++number) {
    RecordedEvent read;
    if (!lane.read(number, read)) continue;
    ++whole;
    const bool right = is_event_of(read.event, read.event.sequence) &&
                       read.ticks == read.event.sequence + 7 &&
                       read.thread == read.event.sequence % 60000 && read.number == number;
    mixtures += right ? 0 : 1;
  }
  return whole;
}

void write(FlightLane& lane, std::uint64_t number) {
  lane.write(event_of(number), number + 7, static_cast<std::uint16_t>(number % 60000));
}

}  // namespace

TEST_CASE("what was written can be read, also beyond the ends of numbers") {
  const bool shared = GENERATE(false, true);
  TestLane test(shared);
  FlightEvent extreme = event_of(1);
  extreme.peer = INT32_MIN;
  extreme.tag = INT32_MAX;
  extreme.line = UINT32_MAX;
  extreme.bytes = UINT64_MAX;
  test.lane.write(extreme, UINT64_MAX, UINT16_MAX);
  RecordedEvent read;
  REQUIRE(test.lane.read(0, read));
  REQUIRE(read.event.peer == INT32_MIN);
  REQUIRE(read.event.tag == INT32_MAX);
  REQUIRE(read.event.line == UINT32_MAX);
  REQUIRE(read.event.bytes == UINT64_MAX);
  REQUIRE(read.event.kind == extreme.kind);
  REQUIRE(read.event.transfer == extreme.transfer);
  REQUIRE(read.ticks == UINT64_MAX);
  REQUIRE(read.thread == UINT16_MAX);
  REQUIRE_FALSE(test.lane.read(1, read));
}

TEST_CASE("the last events stay, and the newest operation of the others is known") {
  const bool shared = GENERATE(false, true);
  TestLane test(shared);
  std::uint64_t mixtures = 0;
  for (std::uint64_t number = 1; number <= size; ++number) write(test.lane, number);
  REQUIRE(read_all(test.lane, mixtures) == size);
  REQUIRE(test.lane.last_dropped_sequence() == 0);
  for (std::uint64_t number = size + 1; number <= 3 * size + 5; ++number) write(test.lane, number);
  REQUIRE(test.lane.end() == 3 * size + 5);
  REQUIRE(test.lane.begin(test.lane.end()) == 2 * size + 5);
  REQUIRE(read_all(test.lane, mixtures) == size);
  REQUIRE(test.lane.last_dropped_sequence() == 2 * size + 5);
  REQUIRE(mixtures == 0);
  RecordedEvent read;
  REQUIRE_FALSE(test.lane.read(2 * size + 4, read));
}

TEST_CASE("an event that is being written is left out, and so is one that met it") {
  TestLane test(true);
  write(test.lane, 1);
  test.entries[1].stamp.store(2 * 1 + 1);  // a writer of event 1 that sleeps
  for (std::uint64_t number = 2; number <= size + 2; ++number) write(test.lane, number);
  RecordedEvent read;
  REQUIRE_FALSE(test.lane.read(1, read));
  REQUIRE(test.lane.read(size, read));            // a lap after event 0
  REQUIRE_FALSE(test.lane.read(size + 1, read));  // a lap after event 1: lost
  REQUIRE(test.lane.last_dropped_sequence() == size + 2);
}

TEST_CASE("readers beside writers see whole events only") {
  const bool shared = GENERATE(false, true);
  TestLane test(shared);
  const int writers = shared ? 3 : 1;
  constexpr std::uint64_t each = 20000;
  std::atomic<int> writing{writers};
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i) {
    threads.emplace_back([&, i] {
      for (std::uint64_t k = 0; k < each; ++k) {
        write(test.lane, k * static_cast<std::uint64_t>(writers) + static_cast<unsigned>(i));
      }
      writing.fetch_sub(1);
    });
  }
  std::uint64_t mixtures = 0;
  std::uint64_t whole = 0;
  while (writing.load() != 0) {
    whole += read_all(test.lane, mixtures);
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  whole += read_all(test.lane, mixtures);
  CHECK(mixtures == 0);
  CHECK(whole > 0);
  CHECK(test.lane.end() == each * static_cast<std::uint64_t>(writers));
}
