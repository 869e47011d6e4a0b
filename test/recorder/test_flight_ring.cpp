// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_ring.hpp"

#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "recorder/event_of.hpp"
#include "support/catch.hpp"

using namespace waybill::recorder;
using recorder_test::event_of;
using recorder_test::is_event_of;

namespace {

/// Every whole event of all lanes.
std::vector<RecordedEvent> events() {
  std::vector<RecordedEvent> found;
  for (std::size_t i = 0; i < FlightRing::lanes; ++i) {
    const FlightLane& lane = FlightRing::lane(i);
    const std::uint64_t end = lane.end();
    for (std::uint64_t number = lane.begin(end); number < end; ++number) {
      RecordedEvent read;
      if (lane.read(number, read)) found.push_back(read);
    }
  }
  return found;
}

std::size_t used_lanes() {
  std::size_t used = 0;
  for (std::size_t i = 0; i < FlightRing::lanes; ++i) used += FlightRing::lane(i).end() != 0;
  return used;
}

}  // namespace

TEST_CASE("the number of entries is a power of two within bounds") {
  REQUIRE(FlightRing::rounded(0) == FlightRing::least_entries);
  REQUIRE(FlightRing::rounded(65) == 128);
  REQUIRE(FlightRing::rounded(4096) == 4096);
  REQUIRE(FlightRing::rounded(1U << 30) == FlightRing::most_entries);
}

TEST_CASE("a ring begins empty, also after one that was used, larger or smaller") {
  for (const std::size_t entries : {64U, 1024U, 128U, 1024U}) {
    FlightRing ring(entries);
    REQUIRE(ring.entries() == entries);
    REQUIRE(events().empty());
    for (std::uint64_t i = 1; i <= 2 * entries; ++i) ring.note(event_of(i));
    const auto found = events();
    REQUIRE(found.size() == entries);
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(is_event_of(found[i].event, entries + 1 + i));
      REQUIRE((i == 0 || found[i - 1].ticks <= found[i].ticks));
    }
  }
}

TEST_CASE("threads that end leave their lane to others, and what they wrote") {
  FlightRing ring(64);
  for (std::uint64_t i = 1; i <= 40; ++i) {
    std::thread([&] { ring.note(event_of(i)); }).join();
  }
  REQUIRE(used_lanes() == 1);
  const auto found = events();
  REQUIRE(found.size() == 40);
  std::set<int> threads;
  for (const RecordedEvent& each : found) threads.insert(each.thread);
  REQUIRE(threads.size() == 40);
}

TEST_CASE("a thread that outlives a ring takes nothing from the next one") {
  std::atomic<int> step{0};
  const auto wait_for = [&](int wanted) {
    while (step.load() < wanted) std::this_thread::yield();
  };
  std::optional<FlightRing> ring(64);
  std::thread old([&] {
    ring->note(event_of(1));
    step = 1;
    wait_for(2);
  });
  wait_for(1);
  ring.reset();
  ring.emplace(64);
  ring->note(event_of(2));  // takes the lane that the other thread had
  step = 2;
  old.join();
  std::thread([&] { ring->note(event_of(3)); }).join();
  REQUIRE(used_lanes() == 2);
}

TEST_CASE("more threads than lanes share one, and nothing is mixed up") {
  constexpr std::uint64_t threads = 20;
  constexpr std::uint64_t each = 3000;
  FlightRing ring(64);
  std::atomic<std::uint64_t> ready{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> running;
  for (std::uint64_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      ring.note(event_of(i));
      ++ready;
      while (ready.load() < threads) std::this_thread::yield();  // all are alive at once
      for (std::uint64_t k = 1; k < each; ++k) ring.note(event_of(k * threads + i));
    });
  }
  std::uint64_t seen = 0;
  std::uint64_t wrong = 0;
  std::thread reader([&] {
    while (!done.load()) {
      for (const RecordedEvent& event : events()) {
        ++seen;
        if (!is_event_of(event.event, event.event.sequence)) ++wrong;
      }
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : running) thread.join();
  done = true;
  reader.join();
  CHECK(wrong == 0);
  CHECK(seen > 0);
  CHECK(used_lanes() == FlightRing::lanes);
  std::uint64_t noted = 0;
  for (std::size_t i = 0; i < FlightRing::lanes; ++i) noted += FlightRing::lane(i).end();
  CHECK(noted == threads * each);
  std::map<std::uint64_t, int> last;  // of each thread with a lane of its own
  for (const RecordedEvent& event : events()) last[event.event.sequence % threads] += 1;
  CHECK(last.size() >= FlightRing::lanes - 1);
}
