// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_recorder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "recorder/child.hpp"
#include "recorder/event_of.hpp"
#include "recorder/scratch_folder.hpp"
#include "support/catch.hpp"

using namespace waybill::recorder;
using namespace recorder_test;

namespace {

FlightFacts facts(int rank = 2) {
  FlightFacts made;
  made.rank = rank;
  made.size = 3;
  made.host = "here";
  made.process = getpid();
  return made;
}

/// Runs while it exists.
struct Running {
  explicit Running(const std::string& directory, bool text = false)
      : recorder({64, directory, text}, facts()) {
    set_running_recorder(&recorder);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { REQUIRE(set_running_recorder(nullptr)); }
  FlightRecorder recorder;
};

}  // namespace

TEST_CASE("no record without a running recorder") { REQUIRE_FALSE(write_flight_record("request")); }

TEST_CASE("a later record takes the place of an earlier one") {
  const ScratchFolder folder;
  const Running running(folder.path());
  REQUIRE(running.recorder.path() == folder.file("waybill-flight-2.json"));
  REQUIRE(write_flight_record("first"));
  REQUIRE(write_flight_record("second"));
  const auto record = folder.json("waybill-flight-2.json");
  CHECK(record["reason"] == "second");
  CHECK(record["record"] == 2);
  CHECK(folder.files() == 1);
}

TEST_CASE("the current folder is that of the beginning") {
  const ScratchFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  {
    const Running running("");
    std::filesystem::current_path("/");
    REQUIRE(write_flight_record("request"));
  }
  std::filesystem::current_path(before);
  CHECK(folder.files() == 1);
}

TEST_CASE("a folder that cannot be written to is told, and nothing else happens") {
  const ScratchFolder folder;
  {
    const Running fine(folder.path());
    CHECK(fine.recorder.obstacle().empty());
  }
  const Running running(folder.file("missing"));
  CHECK_THAT(running.recorder.obstacle(), ContainsSubstring("No such file"));
  CHECK_FALSE(write_flight_record("request"));
  CHECK(folder.files() == 0);
}

TEST_CASE("records of several threads come one after the other, and each is whole") {
  const ScratchFolder folder;
  Running running(folder.path());
  std::atomic<int> written{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t k = 0; k < 25; ++k) {
        running.recorder.ring().note(event_of(k));
        if (write_flight_record("request")) ++written;
        try {
          static_cast<void>(folder.json("waybill-flight-2.json"));
        } catch (const std::exception&) {
          written = -1000;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(written == 100);
  CHECK(folder.json("waybill-flight-2.json")["record"] == 100);
  CHECK(folder.files() == 1);
}

TEST_CASE("a fault while a record is written ends that one, and does not hang") {
  const ScratchFolder folder;
  Running running(folder.path());
  const OneWriter writing;
  REQUIRE(writing.has_turn());
  CHECK_FALSE(write_flight_record("SIGSEGV"));
  const OneWriter again;
  CHECK(again.interrupted_writer());
  CHECK(folder.files() == 0);
}

TEST_CASE("a child made by fork() writes nothing, even if a thread was writing") {
  const ScratchFolder folder;
  Running running(folder.path());
  const OneWriter writing;
  CHECK(exited_with(end_of_child([] {
                      if (write_flight_record("request")) _exit(1);
                    }),
                    0));
  CHECK(folder.files() == 0);
}

TEST_CASE("a line on stderr says where the record is, or why there is none") {
  const ScratchFolder folder;
  const auto said = [&](const std::string& directory) {
    const std::string log = folder.file("log");
    end_of_child([&] {
      const int descriptor = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(descriptor, 2);
      static Running* const running = new Running(directory, true);
      static_cast<void>(running);
      write_flight_record("SIGTERM");
    });
    return folder.text("log");
  };
  CHECK(said(folder.path()) == "waybill: rank 2: flight record (SIGTERM) in " +
                                   folder.file("waybill-flight-2.json") + "\n");
  CHECK(said(folder.file("missing")) ==
        "waybill: rank 2: no flight record (SIGTERM): cannot write " +
            folder.file("missing/waybill-flight-2.json") + ", errno 2\n");
}
