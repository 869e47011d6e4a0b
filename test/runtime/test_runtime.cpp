// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/runtime.hpp"

#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

using namespace std::chrono_literals;
using waybill::Options;
using waybill::Runtime;
using waybill::Work;

namespace {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

TEST_CASE("info tells what is there") {
  Runtime runtime;
  const waybill::Info info = waybill::info();
  REQUIRE_FALSE(info.mpi_library.empty());
  REQUIRE(info.ranks == runtime.world().size());
  REQUIRE(info.ranks_on_node >= 1);
  REQUIRE(info.cores_allowed >= 1);
  REQUIRE(info.cores_allowed <= info.cores_on_node);
  REQUIRE(info.tag_upper_bound == runtime.world().tag_upper_bound());
  REQUIRE(info.tag_upper_bound >= 32767);
  REQUIRE(info.oversubscribed == (info.ranks_on_cores > info.cores_allowed));
  REQUIRE_FALSE(info.mpi_started_here);
  REQUIRE(runtime.settings().size() == 17);
}

TEST_CASE("one Runtime after the other, in every mode") {
  for (const auto progress : {waybill::Progress::thread, waybill::Progress::inline_only}) {
    for (const auto responsiveness :
         {waybill::Responsiveness::yield, waybill::Responsiveness::nap}) {
      for (const auto wait :
           {waybill::WaitMode::automatic, waybill::WaitMode::spin, waybill::WaitMode::yield}) {
        Options options;
        options.progress = progress;
        options.responsiveness = responsiveness;
        options.wait = wait;
        Runtime runtime(options);
        REQUIRE(runtime.progress_thread() == (progress == waybill::Progress::thread));
        const auto world = runtime.world();
        const test_support::Ring ring(world);
        for (const std::size_t bytes : test_support::sizes) {
          std::vector<std::uint8_t> in(bytes);
          const auto out = test_support::message(ring.rank, 1, bytes);
          world.sendrecv(out, ring.next, in, ring.previous);
          REQUIRE(in == test_support::message(ring.previous, 1, bytes));
        }
        REQUIRE(runtime.findings() == 0);
        REQUIRE(runtime.in_flight() == 0);
      }
    }
  }
}

TEST_CASE("with nothing in flight the runtime uses no processor time") {
  Runtime runtime;
  const auto world = runtime.world();
  const test_support::Ring ring(world);
  int in = 0;
  world.sendrecv(waybill::value(ring.rank), ring.next, waybill::value(in), ring.previous);
  std::this_thread::sleep_for(200ms);  // the background thread parks
  const double before = cpu_seconds();
  std::this_thread::sleep_for(1s);
  // a thread that polls would use nearly all of it; MPI's own threads are counted too
  REQUIRE(cpu_seconds() - before < 0.01);
}

TEST_CASE("messages move while the program computes and calls nothing") {
  Runtime runtime;
  const auto world = runtime.world();
  const test_support::Ring ring(world);
  if (ring.size == 1) return;
  const std::size_t bytes = std::size_t{4} << 20;
  std::vector<std::uint8_t> in(bytes, 0);
  const auto out = test_support::message(ring.rank, 1, bytes);
  Work receive = world.irecv(in, ring.previous, 1);
  Work send = world.isend(out, ring.next, 1);
  const std::uint8_t expected = test_support::pattern(ring.previous, 1, bytes - 1);
  volatile std::uint8_t* const last = &in.back();
  const auto limit = std::chrono::steady_clock::now() + 20s;
  bool arrived = expected == 0;
  while (!arrived && std::chrono::steady_clock::now() < limit) arrived = *last == expected;
  REQUIRE(arrived);
  receive.wait();
  send.wait();
  REQUIRE(in == test_support::message(ring.previous, 1, bytes));
}

TEST_CASE("waiters on other threads are told when the Runtime shuts down") {
  auto runtime = std::make_unique<Runtime>([] {
    Options options;
    options.shutdown_timeout = 200ms;
    options.report_text = false;
    return options;
  }());
  const auto world = runtime->world();
  static int in = 0;
  std::error_code failure;
  std::thread waiter([&] {
    Work work = world.irecv(waybill::value(in), world.rank(), 3);
    work.wait(failure);
  });
  std::this_thread::sleep_for(100ms);
  runtime->shutdown();
  waiter.join();
  REQUIRE(failure == waybill::Errc::not_running);
  REQUIRE(runtime->findings(waybill::FindingKind::unfinished_at_shutdown) == 1);
}
