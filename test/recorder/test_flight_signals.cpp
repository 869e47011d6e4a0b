// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_signals.hpp"

#include <atomic>
#include <climits>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include "recorder/child.hpp"
#include "recorder/event_of.hpp"
#include "recorder/flight_recorder.hpp"
#include "recorder/one_writer.hpp"
#include "recorder/scratch_folder.hpp"
#include "support/catch.hpp"

using namespace waybill::recorder;
using namespace recorder_test;

namespace {

/// What a Runtime has of all this.
struct Recording {
  explicit Recording(const ScratchFolder& folder) : recorder({64, folder.path(), false}, facts()) {
    set_running_recorder(&recorder);
    signals.emplace();
    recorder.ring().note(event_of(1));
  }
  void end() {
    signals.reset();
    set_running_recorder(nullptr);
  }
  static FlightFacts facts() {
    FlightFacts made;
    made.process = getpid();
    return made;
  }
  FlightRecorder recorder;
  std::optional<FlightSignals> signals;
};

nlohmann::json record_of(const ScratchFolder& folder) {
  REQUIRE(folder.files() == 1);  // nothing half-written
  return folder.json("waybill-flight-0.json");
}

[[gnu::noinline]] int overflow(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth == INT_MAX ? 0 : overflow(depth + 1) + frame[0];
}

}  // namespace

TEST_CASE("signals wait while a record is written") {
  static volatile sig_atomic_t came = 0;
  came = 0;
  CHECK(exited_with(end_of_child([] {
                      signal(SIGTERM, [](int) { came = came + 1; });
                      {
                        const OneWriter writing;
                        raise(SIGTERM);
                        if (came != 0) _exit(1);
                      }
                      if (came != 1) _exit(2);
                    }),
                    0));
}

TEST_CASE("SIGUSR1 writes, and does nothing else") {
  const ScratchFolder folder;
  CHECK(exited_with(end_of_child([&] {
                      Recording recording(folder);
                      raise(SIGUSR1);
                      raise(SIGUSR1);
                    }),
                    0));
  const auto record = record_of(folder);
  CHECK(record["reason"] == "SIGUSR1");
  CHECK(record["record"] == 2);
  CHECK(record["events"].size() == 1);
}

TEST_CASE("other signals write, and end the process as ever") {
  const std::pair<int, const char*> signals[] = {{SIGTERM, "SIGTERM"}, {SIGABRT, "SIGABRT"},
                                                 {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},
                                                 {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"}};
  for (const auto& [signal, name] : signals) {
    const int number = signal;
    const ScratchFolder folder;
    CAPTURE(name);
    CHECK(ended_by(end_of_child([&] {
                     Recording recording(folder);
                     raise(number);
                   }),
                   number));
    CHECK(record_of(folder)["reason"] == name);
  }
}

TEST_CASE("a fault and abort() are recorded once") {
  const ScratchFolder folder;
  CHECK(ended_by(end_of_child([&] {
                   Recording recording(folder);
                   *forbidden_page() = 1;
                 }),
                 SIGSEGV));
  CHECK(record_of(folder)["record"] == 1);
  const ScratchFolder other;
  CHECK(ended_by(end_of_child([&] {
                   Recording recording(other);
                   std::abort();
                 }),
                 SIGABRT));
  CHECK(record_of(other)["record"] == 1);
}

TEST_CASE("a stack overflow is recorded") {
  const ScratchFolder folder;
  CHECK(ended_by(end_of_child([&] {
                   stack_t none{};
                   none.ss_flags = SS_DISABLE;
                   sigaltstack(&none, nullptr);  // of a sanitizer
                   Recording recording(folder);
                   static_cast<void>(overflow(0));
                 }),
                 SIGSEGV));
  CHECK(record_of(folder)["reason"] == "SIGSEGV");
}

TEST_CASE("the program's handlers are called behind, and are back at the end") {
  static volatile sig_atomic_t called = 0;
  const ScratchFolder folder;
  CHECK(exited_with(end_of_child([&] {
                      const auto handler = [](int) { called = called + 1; };
                      signal(SIGUSR1, handler);
                      signal(SIGTERM, handler);
                      Recording recording(folder);
                      raise(SIGUSR1);
                      raise(SIGTERM);
                      if (called != 2) _exit(1);
                      recording.end();
                      raise(SIGTERM);
                      if (called != 3) _exit(2);
                    }),
                    0));
  CHECK(record_of(folder)["reason"] == "SIGTERM");
  CHECK(record_of(folder)["record"] == 2);
}

TEST_CASE("a handler that lives with faults is not slowed by a record of each") {
  const ScratchFolder folder;
  CHECK(exited_with(end_of_child([&] {
                      signal(SIGSEGV, [](int) {
                        mprotect(const_cast<char*>(forbidden_page()), 4096, PROT_READ | PROT_WRITE);
                      });
                      Recording recording(folder);
                      for (int i = 0; i < 3; ++i) {
                        mprotect(const_cast<char*>(forbidden_page()), 4096, PROT_NONE);
                        *forbidden_page() = 1;
                      }
                      raise(SIGUSR1);
                    }),
                    0));
  CHECK(record_of(folder)["record"] == 2);
}

TEST_CASE("signals of all kinds in all threads at once end in one whole record") {
  const ScratchFolder folder;
  const int end = end_of_child([&] {
    Recording recording(folder);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        for (std::uint64_t k = 1;; ++k) {
          recording.recorder.ring().note(event_of(k));
          if (k % 100 == 0) pthread_kill(pthread_self(), SIGUSR1);
          if (k % 300 == 0) write_flight_record("request");
        }
      });
    }
    while (access(recording.recorder.path(), F_OK) != 0) usleep(1000);
    kill(getpid(), SIGTERM);
    while (true) pause();
  });
  CHECK(ended_by(end, SIGTERM));
  CHECK(record_of(folder)["events"].size() > 0);
}
