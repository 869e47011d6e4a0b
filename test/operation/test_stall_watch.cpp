// SPDX-License-Identifier: BSD-3-Clause
#include "operation/stall_watch.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/wait.hpp"
#include "waybill/work.hpp"

using namespace std::chrono_literals;
using test_support::MockRuntime;
using waybill::Finding;
using waybill::FindingKind;
using waybill::Work;

namespace {

/// The next @p count findings, which must be stalls.
std::vector<Finding> next_stalls(MockRuntime& runtime, std::size_t count) {
  std::vector<Finding> findings;
  while (findings.size() < count) {  // the session has an outer limit
    std::this_thread::sleep_for(5ms);
    for (Finding& finding : runtime.findings.take()) findings.push_back(std::move(finding));
  }
  REQUIRE(findings.size() == count);
  for (const Finding& finding : findings) REQUIRE(finding.kind == FindingKind::stalled);
  return findings;
}

/// The next finding, which must be one from @p line.
Finding next_stall(MockRuntime& runtime, std::uint32_t line) {
  Finding finding = next_stalls(runtime, 1)[0];
  REQUIRE(finding.site.line == line);
  return finding;
}

}  // namespace

TEST_CASE("an operation that stalls is told once, by the background thread, and goes on") {
  MockRuntime runtime({.stall_timeout = 50ms});
  const auto world = runtime.world();
  int in = 0;
  const int out = 7;
  const std::uint32_t line = __LINE__ + 1;
  Work receive = world.irecv(waybill::value(in), 0, 5);
  const Finding finding = next_stall(runtime, line);
  CHECK_THAT(finding.what, ContainsSubstring("nothing was completed with rank 0 so far"));
  CHECK_THAT(finding.what, ContainsSubstring("0 other operations are in flight"));
  std::this_thread::sleep_for(200ms);
  REQUIRE(runtime.findings.take().empty());
  world.send(waybill::value(out), 0, 5);
  receive.wait();
  REQUIRE(in == 7);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("the report tells what the peer completed last, and how many others are in flight") {
  MockRuntime runtime({.stall_timeout = 100ms});
  const auto world = runtime.world();
  int in[3] = {};
  const int out = 7;
  Work before = world.irecv(waybill::value(in[0]), 0, 4);
  world.send(waybill::value(out), 0, 4);
  before.wait();
  const std::uint32_t line = __LINE__ + 1;
  Work first = world.irecv(waybill::value(in[1]), 0, 5);
  Work second = world.irecv(waybill::value(in[2]), waybill::any_source, 6);
  const std::vector<Finding> findings = next_stalls(runtime, 2);
  CHECK(findings[0].site.line == line);
  CHECK_THAT(findings[0].what, ContainsSubstring("completed with rank 0 is irecv #"));
  CHECK_THAT(findings[0].what, ContainsSubstring("tag 4"));
  CHECK(findings[1].site.line == line + 1);
  CHECK_THAT(findings[1].what, ContainsSubstring("anybody may send"));
  CHECK_THAT(findings[1].what, ContainsSubstring("1 other operation is in flight"));
  REQUIRE(first.cancel());
  REQUIRE(second.cancel());
}

TEST_CASE("without a background thread, whoever waits tells") {
  MockRuntime runtime({.thread = false, .stall_timeout = 50ms});
  const auto world = runtime.world();
  int in = 0;
  const std::uint32_t line = __LINE__ + 1;
  Work receive = world.irecv(waybill::value(in), 0, 5);
  const bool all = GENERATE(false, true);
  if (all) {
    REQUIRE_FALSE(waybill::wait_any_for({&receive, 1}, 300ms));
  } else {
    REQUIRE_FALSE(receive.wait_for(300ms));
  }
  static_cast<void>(next_stall(runtime, line));
  REQUIRE(receive.cancel());
}

TEST_CASE("what is over is no stall, although the program has not looked") {
  MockRuntime runtime({.most_looks = 0, .stall_timeout = 30ms});
  const auto world = runtime.world();
  int in = 0;
  const int out = 7;
  Work receive = world.irecv(waybill::value(in), 0, 5);
  Work send = world.isend(waybill::value(out), 0, 5);
  std::this_thread::sleep_for(200ms);  // the program computes
  REQUIRE(runtime.findings.take().empty());
  receive.wait();
  send.wait();
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("a request is never looked at by two threads at once") {
  MockRuntime runtime({.stall_timeout = 1ms});
  const auto world = runtime.world();
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 300; ++i) {
        int in = 0;
        const int out = i;
        Work receive = world.irecv(waybill::value(in), 0, thread);
        if (i % 10 == 0) std::this_thread::sleep_for(3ms);
        Work send = world.isend(waybill::value(out), 0, thread);
        if (i % 7 == 0 && receive.cancel()) {
          Work rest = world.irecv(waybill::value(in), 0, thread);
          rest.wait();
        } else {
          receive.wait();
        }
        send.wait();
        if (in != out) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(failures == 0);
  REQUIRE(runtime.transport.collisions == 0);
}
