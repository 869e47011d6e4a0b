// SPDX-License-Identifier: BSD-3-Clause
// Level content, through the public calls.
#include <array>
#include <string>
#include <vector>

#include "registry/content/content_watch.hpp"
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

/// The only finding, of @p kind, from @p line.
void require_one(MockRuntime& runtime, FindingKind kind, std::uint32_t line) {
  const std::vector<Finding> findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == kind);
  REQUIRE(findings[0].site.line == line);
}

/// All ways in which a program may learn that an operation is over.
enum class End { wait, wait_for, test, wait_all, wait_any, wait_some, count };

void see_it_end(Work& work, End end) {
  switch (end) {
    case End::wait: return work.wait();
    case End::wait_for: REQUIRE(work.wait_for(10s)); return;
    case End::test:
      while (!work.test()) {
      }
      return;
    case End::wait_all: return waybill::wait_all({&work, 1});
    case End::wait_any: REQUIRE(waybill::wait_any({&work, 1}) == 0U); return;
    case End::wait_some: REQUIRE(waybill::wait_some({&work, 1}).size() == 1); return;
    case End::count: break;
  }
}

const auto every_end = [] {
  return static_cast<End>(GENERATE(range(0, static_cast<int>(End::count))));
};

}  // namespace

TEST_CASE("a send buffer that is written before the end is seen is found, its twin is not") {
  const bool at_post = GENERATE(false, true);
  const End end = every_end();
  const bool mistake = GENERATE(false, true);
  MockRuntime runtime({.content = true});
  runtime.transport.sends_end_at_post = at_post;
  const auto world = runtime.world();
  std::array<int, 16> out{}, in{};
  Work receive = world.irecv(in, 0, 1);
  const std::uint32_t line = __LINE__ + 1;
  Work send = world.isend(out, 0, 1);
  if (mistake) out[5] = 1;
  see_it_end(send, end);
  out[6] = 1;
  if (mistake) require_one(runtime, FindingKind::send_buffer_modified, line);
  receive.wait();
  REQUIRE(receive.status().bytes() == sizeof in);
  send = Work();
  receive = Work();
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("a receive buffer that is written before the end is seen is found, its twin is not") {
  const End end = every_end();
  const bool mistake = GENERATE(false, true);
  const bool early = GENERATE(false, true);
  MockRuntime runtime({.content = true});
  const auto world = runtime.world();
  std::array<int, 16> in{};
  std::array<int, 16> out{};
  out.fill(3);
  const std::uint32_t line = __LINE__ + 1;
  Work receive = world.irecv(in, 0, 1);
  if (mistake && early) in[5] = 1;
  world.send(out, 0, 1);
  if (mistake && !early) in[5] = 1;
  see_it_end(receive, end);
  if (mistake) require_one(runtime, FindingKind::recv_buffer_touched, line);
  REQUIRE(in == out);  // delivered in any case
  in[0] = 9;
  receive = Work();
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("columns are delivered and watched without what lies between them") {
  MockRuntime runtime({.content = true});
  const auto world = runtime.world();
  std::vector<int> from(100 * 8), to(100 * 8, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int>(i);
  const auto mine = waybill::column(from.data(), 100, 8, 3);
  const auto theirs = waybill::column(to.data(), 100, 8, 5);
  Work receive = world.irecv(theirs, 0, 1);
  Work send = world.isend(mine, 0, 1);
  from[4] = 0;  // other columns are free
  to[4] = 0;
  Work both[] = {std::move(receive), std::move(send)};
  waybill::wait_all(both);
  REQUIRE(runtime.findings.take().empty());
  for (std::size_t row = 0; row < 100; ++row) {
    REQUIRE(to[row * 8 + 5] == static_cast<int>(row * 8 + 3));
    REQUIRE(to[row * 8 + 4] == (row == 0 ? 0 : -1));
  }
  const std::uint32_t line = __LINE__ + 1;
  Work again = world.irecv(theirs, 0, 1);
  to[99 * 8 + 5] = 7;
  world.send(mine, 0, 1);
  again.wait();
  require_one(runtime, FindingKind::recv_buffer_touched, line);
}

TEST_CASE("a short message leaves the rest of the buffer as it was") {
  MockRuntime runtime({.content = true});
  const auto world = runtime.world();
  std::array<int, 16> in{}, out{};
  in.fill(4);
  out.fill(5);
  Work send = world.isend(std::span<const int>(out).first(6), 0, 1);
  REQUIRE(world.recv(in, 0, 1).elements() == 6);
  send.wait();
  for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(in[i] == (i < 6 ? 5 : 4));
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("detached, dropped and cancelled receives") {
  MockRuntime runtime({.content = true});
  const auto world = runtime.world();
  std::array<int, 16> in{};
  std::array<int, 16> out{};
  out.fill(3);
  SECTION("a detached one is delivered, and what was written before is found") {
    const bool mistake = GENERATE(false, true);
    const std::uint32_t line = __LINE__ + 1;
    Work receive = world.irecv(in, 0, 1);
    if (mistake) in[2] = 1;
    receive.detach();
    if (mistake) require_one(runtime, FindingKind::recv_buffer_touched, line);
    world.send(out, 0, 1);
    while (runtime.engine.adopted() != 0) runtime.engine.assist();
    REQUIRE(in == out);
    REQUIRE(runtime.findings.take().empty());
  }
  SECTION("a dropped one too") {
    { const Work receive = world.irecv(in, 0, 1); }
    REQUIRE(runtime.findings.take().size() == 1);
    world.send(out, 0, 1);
    while (runtime.engine.adopted() != 0) runtime.engine.assist();
    REQUIRE(in == out);
    REQUIRE(runtime.findings.take().empty());
  }
  SECTION("a cancelled one leaves the buffer alone") {
    Work receive = world.irecv(in, 0, 1);
    REQUIRE(receive.cancel());
    REQUIRE(in == std::array<int, 16>{});
    REQUIRE(runtime.findings.take().empty());
    Work next = world.irecv(in, 0, 1);  // the slot is as good as new
    world.send(out, 0, 1);
    next.wait();
    REQUIRE(in == out);
  }
}

TEST_CASE("who shares bytes with another is told that once, and nothing that follows from it") {
  MockRuntime runtime({.content = true});
  const auto world = runtime.world();
  std::array<int, 16> buffer{}, one{}, other{};
  one.fill(1);
  other.fill(2);
  Work first = world.irecv(buffer, 0, 1);
  Work second = world.irecv(buffer, 0, 2);
  require_one(runtime, FindingKind::overlapping_buffers, __LINE__ - 1);
  world.send(one, 0, 1);
  first.wait();  // delivered over the buffer of the second
  world.send(other, 0, 2);
  second.wait();
  REQUIRE(runtime.findings.take().empty());
  const std::uint32_t line = __LINE__ + 1;  // the slots are as good as new
  Work third = world.irecv(buffer, 0, 3);
  buffer[0] = 3;
  world.send(one, 0, 3);
  third.wait();
  require_one(runtime, FindingKind::recv_buffer_touched, line);
}

TEST_CASE("a refused post leaves nothing behind") {
  MockRuntime runtime({.content = true});
  const auto world = runtime.world();
  int value = 1;
  runtime.transport.sends_end_at_post = true;
  runtime.transport.refuse_posts = true;
  REQUIRE_THROWS_AS(world.isend(waybill::value(value), 0, 1), waybill::Error);
  REQUIRE_THROWS_AS(world.irecv(waybill::value(value), 0, 1), waybill::Error);
  runtime.transport.refuse_posts = false;
  value = 2;
  world.isend(waybill::value(value), 0, 1).wait();
  REQUIRE(runtime.findings.take().empty());
}

namespace {

/// Returns while its buffer is in flight.
[[gnu::noinline]] Work post_and_return(const waybill::Communicator& world, std::uint32_t& line) {
  std::array<int, 16> buffer{};
  line = __LINE__ + 1;
  return world.isend(buffer, 0, 1);
}

}  // namespace

TEST_CASE("a buffer in a function that returned is found at the wait") {
#if !defined(__SANITIZE_ADDRESS__)  // keeps such buffers away from the stack
  MockRuntime runtime({.content = true});
  runtime.transport.sends_end_at_post = true;
  const auto world = runtime.world();
  for (const End end : {End::wait, End::wait_for, End::test, End::wait_all}) {
    std::uint32_t line = 0;
    Work send = post_and_return(world, line);
    // Here, not in a function, whose frame could lie over the buffer.
    if (end == End::wait) send.wait();
    if (end == End::wait_for) REQUIRE(send.wait_for(10s));
    if (end == End::test) REQUIRE(send.test());
    if (end == End::wait_all) waybill::wait_all({&send, 1});
    send = Work();
    require_one(runtime, FindingKind::buffer_lifetime, line);
    std::array<int, 16> in{};
    world.recv(in, 0, 1);
  }
#endif
}
