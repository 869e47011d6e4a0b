// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_dump.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "recorder/scratch_folder.hpp"
#include "support/catch.hpp"
#include "waybill/finding.hpp"

using namespace waybill::recorder;
using nlohmann::json;
using recorder_test::ScratchFolder;

namespace {

struct Dumped {
  explicit Dumped(std::size_t entries = 64) : ring(entries) {}

  json write(const char* reason = "request") {
    SafeFile file(folder.file("record"));
    FlightDump dump(ring, facts, members);
    REQUIRE(file.open());
    dump.write(file, reason, 3);
    REQUIRE(file.finish());
    return folder.json("record");
  }

  ScratchFolder folder;
  FlightRing ring;
  FlightFacts facts{1, 4, "node7", "0.1.0", 4711, ClockDifference{-1500, 20}};
  FlightMembers members;
};

FlightEvent post(std::uint64_t sequence) {
  FlightEvent event;
  event.kind = EventKind::post;
  event.transfer = Transfer::send;
  event.peer = 2;
  event.tag = 7;
  event.line = 88;
  event.sequence = sequence;
  event.bytes = 4096;
  event.communicator = "world";
  event.file = "src/heat.cpp";
  return event;
}

}  // namespace

TEST_CASE("a record says who wrote it, when and why") {
  Dumped dumped;
  dumped.members.add({"world", 1, 4, {0, 1, 2, 3}});
  dumped.members.add({"split of \"x\"", 0, 2, {1, 3}});
  const std::uint64_t before = monotonic_ns();
  const json record = dumped.write("SIGTERM");
  CHECK(record["format"] == "waybill-flight-record");
  CHECK(record["version"] == 1);
  CHECK(record["reason"] == "SIGTERM");
  CHECK(record["record"] == 3);
  CHECK(record["rank"] == 1);
  CHECK(record["size"] == 4);
  CHECK(record["host"] == "node7");
  CHECK(record["pid"] == 4711);
  CHECK(record["waybill"] == "0.1.0");
  CHECK(record["clock_offset_ns"] == -1500);
  CHECK(record["clock_offset_error_ns"] == 20);
  CHECK(record["time_ns"] >= before);
  CHECK(record["time_ns"] <= monotonic_ns());
  CHECK(record["wall_clock_ns"] > 1'600'000'000'000'000'000U);
  CHECK(record["entries"] == 64);
  CHECK(record["communicators"] ==
        json::parse(R"([{"name":"world","rank":1,"size":4,"members":[0,1,2,3]},
                        {"name":"split of \"x\"","rank":0,"size":2,"members":[1,3]}])"));
  CHECK(record["communicators_not_listed"] == 0);
  CHECK(record["events"].empty());
}

TEST_CASE("without a measured clock there is none, and too many communicators are counted") {
  Dumped dumped;
  dumped.facts.clock.reset();
  for (std::size_t i = 0; i < FlightMembers::most_communicators + 2; ++i) {
    dumped.members.add({"dup", 0, 1, {0}});
  }
  const json record = dumped.write();
  CHECK(record["clock_offset_ns"].is_null());
  CHECK(record["clock_offset_error_ns"].is_null());
  CHECK(record["communicators"].size() == FlightMembers::most_communicators);
  CHECK(record["communicators_not_listed"] == 2);
}

TEST_CASE("events come with all that is known of them") {
  Dumped dumped;
  dumped.ring.note(post(1));
  FlightEvent finding;
  finding.kind = EventKind::finding;
  finding.bytes = static_cast<std::uint64_t>(waybill::FindingKind::truncated);
  finding.file = "dir/with \"quotes\"\\and \xFF.cpp";
  finding.line = 9;
  dumped.ring.note(finding);
  FlightEvent bare;
  bare.kind = EventKind::drop;
  dumped.ring.note(bare);
  json record = dumped.write();
  REQUIRE(record["events"].size() == 3);
  for (json& event : record["events"]) {
    CHECK(event["time_ns"] <= record["time_ns"]);
    event.erase("time_ns");
  }
  CHECK(record["events"][0] ==
        json::parse(R"({"thread":0,"event":"post","operation":"isend","sequence":1,"peer":2,
          "tag":7,"bytes":4096,"communicator":"world","file":"src/heat.cpp","line":88})"));
  CHECK(record["events"][1] == json::parse(R"({"thread":0,"event":"finding","finding":"truncated",
          "file":"dir/with \"quotes\"\\and \ufffd.cpp","line":9})"));
  CHECK(record["events"][2]["operation"].is_null());
  CHECK(record["events"][2]["communicator"].is_null());
  CHECK(record["dropped_events"] == 0);
  CHECK(record["unreadable_events"] == 0);
  CHECK(record["last_dropped_sequence"] == 0);
}

TEST_CASE("every kind of event has a name of its own") {
  Dumped dumped;
  for (std::size_t kind = 1; kind < event_kinds; ++kind) {
    FlightEvent event;
    event.kind = static_cast<EventKind>(kind);
    dumped.ring.note(event);
  }
  std::vector<std::string> names;
  const json record = dumped.write();
  for (const json& event : record["events"]) {
    names.push_back(event["event"]);
    CHECK(names.back() != "unknown");
    CHECK(std::count(names.begin(), names.end(), names.back()) == 1);
  }
  CHECK(names.size() == event_kinds - 1);
}

TEST_CASE("what is not there any more is counted") {
  Dumped dumped;
  for (std::uint64_t i = 1; i <= 100; ++i) dumped.ring.note(post(i));
  const json record = dumped.write();
  CHECK(record["events"].size() == 64);
  CHECK(record["events"][0]["sequence"] == 37);
  CHECK(record["dropped_events"] == 36);
  CHECK(record["last_dropped_sequence"] == 36);
  CHECK(record["unreadable_events"] == 0);
}

TEST_CASE("the events of all threads come in the order of their times") {
  Dumped dumped;
  std::atomic<int> turn{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 10; ++k) {
        while (turn.load() != 3 * k + i) std::this_thread::yield();
        dumped.ring.note(post(static_cast<std::uint64_t>(3 * k + i + 1)));
        ++turn;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const json record = dumped.write();
  REQUIRE(record["events"].size() == 30);
  for (std::size_t i = 0; i < 30; ++i) CHECK(record["events"][i]["sequence"] == i + 1);
}

TEST_CASE("a record written beside writers is whole") {
  Dumped dumped(256);
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t k = 1; !done.load(); ++k) {
        dumped.ring.note(post(k));
        if (k % 64 == 0) std::this_thread::yield();
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    const json record = dumped.write();
    const std::size_t lanes = 3;
    CHECK(record["events"].size() + record["unreadable_events"].get<std::size_t>() <= lanes * 256);
    for (const json& event : record["events"]) {
      if (event["bytes"] != 4096 || event["line"] != 88) FAIL("mixed up: " << event);
    }
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}
