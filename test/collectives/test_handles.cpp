// SPDX-License-Identifier: BSD-3-Clause
// Collectives as operations: handles, findings, slots; on the mock transport, one rank.
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "operation/slab.hpp"
#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/waybill.hpp"

using test_support::MockOptions;
using test_support::MockRuntime;
using waybill::Errc;
using waybill::Finding;
using waybill::FindingKind;
using waybill::in_place;
using waybill::Reduce;
using waybill::Work;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a collective's handle works like a message's") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> mine{1, 2, 3};
  std::vector<int> sum(3);
  Work work = world.allreduce_async(mine, sum, Reduce::sum);
  while (!work.test()) {
  }
  REQUIRE(sum == mine);
  REQUIRE(work.status().bytes() == 12);
  REQUIRE(work.status().elements() == 3);
  REQUIRE(work.status().source() == waybill::any_source);
  Work broadcast = world.broadcast_async(sum, 0);
  REQUIRE(broadcast.wait_for(std::chrono::seconds(10)));
  REQUIRE(broadcast.status().source() == 0);
  world.barrier();
  REQUIRE(runtime.findings.take().empty());
  REQUIRE(runtime.transport.collisions == 0);
}

TEST_CASE("a collective cannot be cancelled") {
  MockRuntime runtime;
  Work work = runtime.world().barrier_async();
  try {
    work.cancel();
    FAIL("it was cancelled");
  } catch (const waybill::Error& error) {
    REQUIRE(error.code() == Errc::cannot_cancel_collective);
  }
  work.wait();
}

TEST_CASE("a collective's handle that is thrown away is found, one that is detached is not") {
  std::vector<int> mine{1};  // outlive what is dropped
  std::vector<int> sum(1);
  MockRuntime runtime;
  const auto world = runtime.world();
  static_cast<void>(world.allreduce_async(mine, sum, Reduce::sum));
  const std::vector<Finding> findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::dropped_handle);
  REQUIRE(contains(findings[0].what, "allreduce_async #"));
  REQUIRE(contains(findings[0].what, "collective 1"));
  REQUIRE(contains(findings[0].what, "test_handles.cpp:"));
  world.barrier_async().detach();
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("both buffers of a collective are watched until it is complete") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> mine{1, 2};
  std::vector<int> sum(2);
  SECTION("the result") {
    Work work = world.allreduce_async(mine, sum, Reduce::sum);
    Work other = world.irecv(sum, 0);
    const std::vector<Finding> findings = runtime.findings.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].kind == FindingKind::overlapping_buffers);
    REQUIRE(contains(findings[0].what, "allreduce_async #"));
    world.send(mine, 0);
    other.wait();
    work.wait();
  }
  SECTION("the contribution") {
    Work work = world.allreduce_async(mine, sum, Reduce::sum);
    Work other = world.irecv(mine, 0);
    const std::vector<Finding> findings = runtime.findings.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].kind == FindingKind::overlapping_buffers);
    std::vector<int> out{5, 6};
    world.send(out, 0);
    other.wait();
    work.wait();
  }
  SECTION("a contribution may be read by others, and both are free after the wait") {
    Work work = world.allreduce_async(mine, sum, Reduce::sum);
    Work send = world.isend(mine, 0);
    std::vector<int> in(2);
    static_cast<void>(world.recv(in, 0));
    send.wait();
    work.wait();
    Work again = world.allreduce_async(sum, mine, Reduce::sum);
    again.wait();
    REQUIRE(runtime.findings.take().empty());
  }
}

TEST_CASE("buffers of one collective that share memory are found, in_place is not") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> both{1, 2, 3};
  world.allreduce(both, both, Reduce::sum);
  const std::vector<Finding> findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::overlapping_buffers);
  REQUIRE(contains(findings[0].what, "its contribution shares memory with its result: 12 B"));
  REQUIRE(contains(findings[0].advice, "in_place"));
  world.allreduce(in_place, both, Reduce::sum);
  world.broadcast(both);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("blocks with gaps leave the gaps to others") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> mine{7, 8};
  std::vector<int> all(6);
  const std::vector<int> counts{2};
  const std::vector<int> begins{2};
  Work work = world.allgatherv_async(mine, all, {counts, begins});
  Work other = world.irecv(std::span(all).first(2), 0);
  REQUIRE(runtime.findings.take().empty());
  Work third = world.irecv(std::span(all).subspan(3, 1), 0, 1);
  REQUIRE(runtime.findings.take().size() == 1);
  world.send(mine, 0);
  world.send(std::span(mine).first(1), 0, 1);
  other.wait();
  third.wait();
  work.wait();
}

TEST_CASE("collectives of each communicator are numbered") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const auto other = world.dup();
  world.barrier();
  world.barrier();
  other.barrier();
  static_cast<void>(world.barrier_async());
  static_cast<void>(other.barrier_async());
  const std::vector<Finding> findings = runtime.findings.take();
  REQUIRE(findings.size() == 2);
  REQUIRE(contains(findings[0].what, "collective 3"));
  REQUIRE(contains(findings[1].what, "collective 2"));
}

TEST_CASE("two threads that post collectives on one communicator at once are found") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const auto other = world.dup();
  std::atomic<bool> inside{false};
  std::atomic<bool> go_on{false};
  runtime.transport.in_collective = [&] {
    if (inside.exchange(true)) return;
    while (!go_on) std::this_thread::yield();
  };
  std::thread first([&] { world.barrier(); });
  while (!inside) std::this_thread::yield();
  other.barrier();  // has an order of its own
  REQUIRE(runtime.findings.take().empty());
  std::thread second([&] { world.barrier(); });
  std::vector<Finding> findings;
  // It has looked for the first before it waits for it; how long that takes is not known.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  go_on = true;
  first.join();
  second.join();
  findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::concurrent_collectives);
  REQUIRE(findings[0].site.line > findings[0].other.line);
  REQUIRE(findings[0].other.line > 0);
  REQUIRE(contains(findings[0].what, "barrier_async #"));
}

TEST_CASE("threads that take turns are not found") {
  MockRuntime runtime;
  const auto world = runtime.world();
  for (int i = 0; i < 20; ++i) std::thread([&] { world.barrier(); }).join();
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("operations and companions go back to the slab") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> mine(4);
  std::vector<int> sum(4);
  world.allreduce(mine, sum, Reduce::sum);
  const std::size_t before = waybill::operation::slots();
  for (int i = 0; i < 5000; ++i) {
    Work work = world.allreduce_async(mine, sum, Reduce::sum);
    if (i % 2 == 0) work.wait();
    else work.detach();
    while (runtime.engine.adopted() != 0) std::this_thread::yield();
  }
  REQUIRE(waybill::operation::slots() == before);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("a collective that MPI refuses is an error, and is not counted") {
  std::vector<int> mine(4);  // outlive what is dropped
  std::vector<int> sum(4);
  MockRuntime runtime;
  const auto world = runtime.world();
  runtime.transport.refuse_posts = true;
  try {
    world.allreduce(mine, sum, Reduce::sum);
    FAIL("it was taken");
  } catch (const waybill::Error& error) {
    REQUIRE(error.code() == Errc::transport);
    REQUIRE(contains(error.what(), "allreduce_async (test_handles.cpp:"));
    REQUIRE(contains(error.what(), "refused"));
  }
  runtime.transport.refuse_posts = false;
  static_cast<void>(world.allreduce_async(mine, sum, Reduce::sum));
  REQUIRE(contains(runtime.findings.take().at(0).what, "collective 1"));
}

TEST_CASE("with content checks, bytes of both buffers that change in flight are found") {
  MockOptions options;
  options.content = true;
  options.thread = false;
  MockRuntime runtime(options);
  const auto world = runtime.world();
  std::vector<int> mine(100, 3);
  std::vector<int> sum(100, 0);
  SECTION("the contribution") {
    Work work = world.allreduce_async(mine, sum, Reduce::sum);
    mine[10] = 4;
    work.wait();
    const std::vector<Finding> findings = runtime.findings.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].kind == FindingKind::send_buffer_modified);
    REQUIRE(contains(findings[0].what, "byte 40 of its buffer"));
  }
  SECTION("the result") {
    Work work = world.allreduce_async(mine, sum, Reduce::sum);
    sum[2] = 4;
    work.wait();
    const std::vector<Finding> findings = runtime.findings.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].kind == FindingKind::recv_buffer_touched);
    REQUIRE(sum == mine);
  }
  SECTION("nothing where nothing is touched") {
    world.allreduce(mine, sum, Reduce::sum);
    REQUIRE(sum == mine);
    std::iota(sum.begin(), sum.end(), 0);
    const std::vector<int> before = sum;
    world.allreduce(in_place, sum, Reduce::sum);
    REQUIRE(sum == before);
    world.broadcast(sum);
    REQUIRE(sum == before);
    REQUIRE(runtime.findings.take().empty());
  }
}
