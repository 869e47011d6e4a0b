// SPDX-License-Identifier: BSD-3-Clause
#include "engine/door.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <thread>

#include "engine/engine.hpp"
#include "engine/parking.hpp"
#include "engine/waiting.hpp"
#include "support/catch.hpp"
#include "support/mock_transport.hpp"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test_support::MockTransport;
using waybill::engine::Door;
using waybill::engine::Engine;
using waybill::engine::EngineOptions;
using waybill::engine::Neighbours;
using waybill::engine::Parking;
using waybill::engine::ThreadActivity;
using waybill::engine::Waiting;

namespace {

/// Memory that a child made by fork() shares.
struct SharedDoor {
  SharedDoor()
      : door(*new (mmap(nullptr, sizeof(Door), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0)) Door) {}
  SharedDoor(const SharedDoor&) = delete;
  SharedDoor& operator=(const SharedDoor&) = delete;
  ~SharedDoor() { munmap(&door, sizeof(Door)); }

  Door& door;
};

/// The state of a process that computes with one operation in flight.
void compute(Door& door) { ThreadActivity::add_one(door.threads[0].posted); }

}  // namespace

TEST_CASE("a process computes if something is in flight and no thread of it waits") {
  Door door;
  REQUIRE_FALSE(door.computes());
  ThreadActivity::add_one(door.threads[0].posted);
  REQUIRE(door.computes());
  door.threads[1].inside = 1;
  REQUIRE_FALSE(door.computes());
  door.threads[1].inside = 0;
  ThreadActivity::add_one(door.threads[2].completed);  // by another thread
  REQUIRE_FALSE(door.computes());
}

TEST_CASE("only an open door of a process that computes is knocked at") {
  Door door;
  Parking parking(door.word);
  const auto nap_and_knock = [&] {
    bool knocked = false;
    std::thread napper([&] { static_cast<void>(parking.nap(60s)); });
    while (!Parking::is_open(door.word)) std::this_thread::yield();
    knocked = door.knock();
    parking.end_nap();
    napper.join();
    return knocked;
  };
  REQUIRE_FALSE(nap_and_knock());
  compute(door);
  REQUIRE_FALSE(door.knock());  // awake
  REQUIRE(nap_and_knock());
}

TEST_CASE("neighbours are found by rank") {
  Door near;
  Neighbours neighbours;
  REQUIRE(neighbours.of(0) == nullptr);
  neighbours.add(7, near);
  REQUIRE(neighbours.of(7) == &near);
  REQUIRE(neighbours.of(6) == nullptr);
  REQUIRE(neighbours.of(waybill::any_source) == nullptr);
}

TEST_CASE("another process wakes the one that computes") {
  SharedDoor shared;
  compute(shared.door);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto end = Clock::now() + 20s;
    while (Clock::now() < end) {
      if (shared.door.knock()) _exit(0);
      usleep(100);
    }
    _exit(1);
  }
  Parking parking(shared.door.word);
  const bool knocked = parking.nap(60s);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(knocked);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
}

TEST_CASE("a wait that lasts knocks, each time later, and a short one does not") {
  Door door;
  compute(door);
  Parking parking(door.word);
  std::atomic<int> woken{0};
  std::atomic<bool> stop{false};
  std::thread sleeper([&] {
    while (!stop) {
      if (parking.nap(1s) && !stop) ++woken;
    }
  });
  MockTransport transport;
  Engine engine(transport, {.thread = false, .wait = waybill::WaitMode::spin});
  const auto wait_for = [&](auto length) {
    Waiting waiting(engine);
    for (const auto end = Clock::now() + length; Clock::now() < end;) {
      if (waiting.may_visit()) waiting.visit(&door);
      waiting.idle(Clock::time_point::max());
    }
  };
  {
    Waiting waiting(engine);  // a wait that ends within the first looks
    for (int i = 0; i < 63; ++i) {
      REQUIRE_FALSE(waiting.may_visit());
      waiting.idle(Clock::time_point::max());
    }
  }
  REQUIRE(woken == 0);
  wait_for(200ms);
  const int knocks = woken;
  REQUIRE(knocks >= 1);
  REQUIRE(knocks <= 8);  // at 20 us, 80 us, 320 us, ... 82 ms
  stop = true;
  parking.end_nap();
  sleeper.join();
}

TEST_CASE("the engine of a program that computes naps at an open door and answers a knock") {
  Door door;
  MockTransport transport;
  EngineOptions options;
  options.spare_core = false;
  options.may_have_core = false;
  options.door = &door;
  options.all_can_knock = true;
  Engine engine(transport, options);
  engine.posted();
  compute(door);
  for (int i = 0; i < 20; ++i) {
    const auto end = Clock::now() + 20s;
    while (!door.knock() && Clock::now() < end) std::this_thread::yield();
    const std::size_t before = transport.progress_calls;
    while (transport.progress_calls == before && Clock::now() < end) std::this_thread::yield();
    REQUIRE(Clock::now() < end);
  }
  Engine::completed();
  engine.stop();
  REQUIRE_FALSE(Parking::is_open(door.word));
}

TEST_CASE("a child made by fork does not give back its parent's record") {
  static auto* const shared = new SharedDoor;  // its records stay in the list of all
  pthread_key_t last = 0;                      // comes after what is thread_local
  REQUIRE(pthread_key_create(&last, [](void*) { _exit(0); }) == 0);
  waybill::engine::offer_records(shared->door.threads);
  int status = -1;
  bool taken = false;
  std::thread([&] {
    const ThreadActivity& mine = waybill::engine::my_activity();
    REQUIRE(&mine == &shared->door.threads[0]);
    const pid_t child = fork();
    if (child == 0) {
      pthread_setspecific(last, shared);
      pthread_exit(nullptr);
    }
    waitpid(child, &status, 0);
    taken = mine.taken;
  }).join();
  pthread_key_delete(last);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  REQUIRE(taken);
  REQUIRE_FALSE(shared->door.threads[0].taken);  // the parent did
}

TEST_CASE("threads that come after take the records that were offered, in order") {
  static Door door;
  waybill::engine::offer_records(door.threads);
  ThreadActivity* first = nullptr;
  ThreadActivity* second = nullptr;
  std::thread([&] {
    first = &waybill::engine::my_activity();
    std::thread([&] { second = &waybill::engine::my_activity(); }).join();
  }).join();
  REQUIRE(first == &door.threads[0]);
  REQUIRE(second == &door.threads[1]);
}
