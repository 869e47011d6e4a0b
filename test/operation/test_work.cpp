// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/work.hpp"

#include <chrono>
#include <string>
#include <type_traits>
#include <vector>

#include "operation/slab.hpp"
#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/communicator.hpp"

using namespace std::chrono_literals;
using test_support::MockRuntime;
using waybill::Errc;
using waybill::Error;
using waybill::FindingKind;
using waybill::Work;

namespace {

template <class Call>
Errc code_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return static_cast<Errc>(error.code().value());
  }
  return Errc{};
}

std::vector<FindingKind> kinds(MockRuntime& runtime) {
  std::vector<FindingKind> result;
  for (const auto& finding : runtime.findings.take()) result.push_back(finding.kind);
  return result;
}

using Kinds = std::vector<FindingKind>;

}  // namespace

static_assert(sizeof(Work) == 16);
static_assert(!std::is_copy_constructible_v<Work> && !std::is_copy_assignable_v<Work>);
static_assert(std::is_nothrow_move_constructible_v<Work>);
static_assert(std::is_nothrow_destructible_v<Work>);

TEST_CASE("a pair completes, and says what came") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const std::vector<int> out{1, 2, 3};
  std::vector<int> in(3);
  Work receive = world.irecv(in, 0, 5);
  Work send = world.isend(out, 0, 5);
  receive.wait();
  send.wait();
  REQUIRE(in == out);
  REQUIRE(receive.status().source() == 0);
  REQUIRE(receive.status().tag() == 5);
  REQUIRE(receive.status().elements() == 3);
  REQUIRE(receive.status().bytes() == 12);
  REQUIRE(send.status().bytes() == 12);
  receive.wait();  // again: the same answer
  REQUIRE(receive.test());
  REQUIRE_FALSE(receive.error());
  receive = Work();
  send = Work();
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("a send that ended at its post holds its bytes until somebody looks") {
  const bool thorough = GENERATE(false, true);
  MockRuntime runtime({.thorough = thorough});
  runtime.transport.sends_end_at_post = true;
  const auto world = runtime.world();
  const std::uint64_t before = waybill::engine::sum_activity().pending();
  int value = 7;
  Work send = world.isend(waybill::value(value), 0, 1);
  REQUIRE(waybill::engine::sum_activity().pending() == before);  // nothing for the engine to do

  Work early = world.irecv(waybill::value(value), 0, 9);
  REQUIRE(kinds(runtime) == Kinds{FindingKind::overlapping_buffers});
  REQUIRE(early.cancel());

  send.wait();
  REQUIRE(send.status().bytes() == sizeof value);
  Work later = world.irecv(waybill::value(value), 0, 1);  // the twin: after the wait
  later.wait();
  REQUIRE(value == 7);
  REQUIRE(kinds(runtime).empty());

  { const Work lost = world.isend(waybill::value(value), 0, 2); }
  REQUIRE(kinds(runtime) == Kinds{FindingKind::dropped_handle});
  REQUIRE(world.recv(waybill::value(value), 0, 2).bytes() == sizeof value);
  REQUIRE(runtime.transport.in_flight() == 0);
}

TEST_CASE("a timed wait gives up, the operation goes on and can be waited for again") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  const int out = 7;
  Work receive = world.irecv(waybill::value(in), 0);
  REQUIRE_FALSE(receive.wait_for(0s));
  REQUIRE_FALSE(receive.wait_for(-5s));
  REQUIRE_FALSE(receive.wait_for(20ms));
  REQUIRE_FALSE(receive.wait_until(std::chrono::system_clock::now() + 5ms));
  REQUIRE_FALSE(receive.test());
  REQUIRE(code_of([&] { static_cast<void>(receive.status()); }) == Errc::not_complete);
  world.send(waybill::value(out), 0);
  REQUIRE(receive.wait_for(std::chrono::hours::max()));  // saturates
  REQUIRE(in == 7);
  receive = Work();
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("an empty handle is refused by name") {
  MockRuntime runtime;
  const auto world = runtime.world();
  Work empty;
  std::error_code failure;
  REQUIRE_FALSE(empty.valid());
  REQUIRE(code_of([&] { empty.wait(); }) == Errc::empty_handle);
  REQUIRE(code_of([&] { static_cast<void>(empty.test()); }) == Errc::empty_handle);
  REQUIRE(code_of([&] { empty.detach(); }) == Errc::empty_handle);
  REQUIRE(code_of([&] { empty.cancel(); }) == Errc::empty_handle);
  empty.wait(failure);
  REQUIRE(failure == Errc::empty_handle);

  int in = 0;
  Work first = world.irecv(waybill::value(in), 0);
  Work second = std::move(first);
  REQUIRE_FALSE(first.valid());  // NOLINT(bugprone-use-after-move): that is the test
  REQUIRE(code_of([&] { first.wait(); }) == Errc::empty_handle);
  REQUIRE(second.cancel());
}

TEST_CASE("a dropped handle is found, names its line, and the message still goes") {
  for (const bool check : {true, false}) {
    MockRuntime runtime({.check = check});
    const auto world = runtime.world();
    const int out = 9;
    int in = 0;
    const unsigned line = __LINE__ + 1;
    { const Work lost = world.isend(waybill::value(out), 0, 1); }
    world.recv(waybill::value(in), 0, 1);
    REQUIRE(in == 9);
    const auto findings = runtime.findings.take();
    REQUIRE(findings.size() == (check ? 1 : 0));
    if (!check) continue;
    REQUIRE(findings[0].kind == FindingKind::dropped_handle);
    REQUIRE(findings[0].site.line == line);
    REQUIRE_THAT(findings[0].site.file, ContainsSubstring("test_work.cpp"));
  }
}

TEST_CASE("assigning over an unfinished handle drops it") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int in[2] = {};
  Work work = world.irecv(waybill::value(in[0]), 0, 1);
  work = world.irecv(waybill::value(in[1]), 0, 2);
  REQUIRE(kinds(runtime) == Kinds{FindingKind::dropped_handle});
  REQUIRE(work.cancel());
  const int out = 1;
  world.send(waybill::value(out), 0, 1);
}

TEST_CASE("a handle that an exception destroys says so") {
  MockRuntime runtime;
  const auto world = runtime.world();
  static int in = 0;
  try {
    const Work work = world.irecv(waybill::value(in), 0, 1);
    throw 1;
  } catch (int) {
  }
  const auto findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE_THAT(findings[0].what, ContainsSubstring("by an exception"));
  const int out = 1;
  world.send(waybill::value(out), 0, 1);
}

TEST_CASE("detach is no finding, and the message still goes") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const int out = 9;
  int in = 0;
  world.isend(waybill::value(out), 0, 1).detach();
  world.recv(waybill::value(in), 0, 1);
  REQUIRE(in == 9);
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("receives can be taken back, sends cannot") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  const int out = 4;
  Work receive = world.irecv(waybill::value(in), 0, 1);
  REQUIRE(receive.cancel());
  REQUIRE(receive.error() == Errc::cancelled);
  REQUIRE(code_of([&] { receive.wait(); }) == Errc::cancelled);
  Work send = world.isend(waybill::value(out), 0, 1);
  REQUIRE(code_of([&] { send.cancel(); }) == Errc::cannot_cancel_send);
  Work matched = world.irecv(waybill::value(in), 0, 1);
  REQUIRE_FALSE(matched.cancel());
  matched.wait();
  send.wait();
  REQUIRE(in == 4);
  receive = Work();
  matched = Work();
  send = Work();
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("an owned buffer comes back with the data") {
  MockRuntime runtime;
  const auto world = runtime.world();
  auto receive = world.irecv(std::vector<double>(3), 0, 2);
  auto send = world.isend(std::vector<double>{1, 2, 3}, 0, 2);
  REQUIRE(receive.take() == std::vector<double>{1, 2, 3});
  REQUIRE(send.take().size() == 3);
  REQUIRE_FALSE(receive.valid());
  REQUIRE(code_of([&] { static_cast<void>(receive.take()); }) == Errc::empty_handle);
  auto text = world.isend(std::string("short strings live inside the object"), 0, 3);
  auto small = world.isend(std::string("tiny"), 0, 4);
  std::string in(4, ' ');
  world.recv(in, 0, 4);
  REQUIRE(in == "tiny");
  text.detach();
  REQUIRE(small.take() == "tiny");
  std::string rest(36, ' ');
  world.recv(rest, 0, 3);
  REQUIRE(rest == "short strings live inside the object");
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("a message that is too long is an error and a finding, at the receive's line") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const int out[4] = {1, 2, 3, 4};
  int in[2] = {};
  const unsigned line = __LINE__ + 1;
  Work receive = world.irecv(in, 0, 3);
  world.send(out, 0, 3);
  try {
    receive.wait();
    FAIL("no exception");
  } catch (const Error& error) {
    REQUIRE(error.code() == Errc::truncated);
    REQUIRE(error.where().line() == line);
    REQUIRE(error.peer() == 0);
    REQUIRE(error.tag() == 3);
    REQUIRE_THAT(error.what(),
                 ContainsSubstring("rank 0 sent 16 B with tag 3, the buffer holds 8 B"));
  }
  REQUIRE(receive.error() == Errc::truncated);
  const auto findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::truncated);
  REQUIRE(findings[0].site.line == line);
}

TEST_CASE("a failed owned receive keeps its container") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const int out[4] = {1, 2, 3, 4};
  auto receive = world.irecv(std::vector<int>(2), 0, 3);
  world.send(out, 0, 3);
  REQUIRE(code_of([&] { static_cast<void>(receive.take()); }) == Errc::truncated);
  std::error_code failure;
  REQUIRE(receive.take(failure).size() == 2);
  REQUIRE(failure == Errc::truncated);
}

TEST_CASE("a short message is a finding unless somebody asks for its size") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const int out[2] = {1, 2};
  int in[4] = {};
  for (const bool ask : {false, true}) {
    const unsigned line = __LINE__ + 1;
    Work receive = world.irecv(in, 0);
    world.send(out, 0);
    receive.wait();
    if (ask) REQUIRE(receive.status().elements() == 2);
    receive = Work();
    const auto findings = runtime.findings.take();
    REQUIRE(findings.size() == (ask ? 0 : 1));
    if (!ask) REQUIRE(findings[0].kind == FindingKind::short_message);
    if (!ask) REQUIRE(findings[0].site.line == line);
  }
  Work expected = world.irecv(waybill::up_to(in), 0);
  world.send(out, 0);
  expected.wait();
  expected = Work();
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("overlapping buffers are found at the second post, with both lines") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int in[4] = {};
  const unsigned line = __LINE__ + 1;
  Work first = world.irecv(in, 0, 1);
  Work second = world.irecv(std::span(in).subspan(1, 2), 0, 2);
  auto findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::overlapping_buffers);
  REQUIRE(findings[0].site.line == line + 1);
  REQUIRE(findings[0].other.line == line);
  REQUIRE(first.cancel());
  REQUIRE(second.cancel());
  Work third = world.irecv(in, 0, 1);  // free again
  REQUIRE(third.cancel());
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("a call on a large message says that it may take long, a short one does not") {
  MockRuntime runtime({.thread = false});
  const auto world = runtime.world();
  for (const std::size_t bytes : {std::size_t{8}, waybill::engine::long_move}) {
    const std::uint32_t expected = bytes < waybill::engine::long_move ? 0 : 1;
    std::vector<std::byte> out(bytes);
    std::vector<std::byte> in(bytes);
    Work receive = world.irecv(in, 0);
    REQUIRE(runtime.transport.inside == expected);
    Work send = world.isend(out, 0);
    REQUIRE(runtime.transport.inside == expected);
    REQUIRE(waybill::engine::sum_activity().inside == 0);
    receive.wait();
    send.wait();
    REQUIRE(waybill::engine::sum_activity().inside == 0);
  }
}

TEST_CASE("the first look of a wait is inside if it may take long") {
  MockRuntime runtime({.most_looks = 0, .thread = false});
  const auto world = runtime.world();
  for (const std::size_t bytes : {std::size_t{8}, waybill::engine::long_move}) {
    std::vector<std::byte> out(bytes);
    std::vector<std::byte> in(bytes);
    Work receive = world.irecv(in, 0);
    Work send = world.isend(out, 0);
    receive.wait();
    REQUIRE(runtime.transport.inside == (bytes < waybill::engine::long_move ? 0U : 1U));
    send.wait();
  }
}

TEST_CASE("two sends of one buffer, and columns of one matrix, are silent") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<double> matrix(20 * 8);
  Work a = world.irecv(waybill::column(matrix.data(), 20, 8, 2), 0, 1);
  Work b = world.irecv(waybill::column(matrix.data(), 20, 8, 3), 0, 2);
  Work c = world.isend(waybill::column(matrix.data(), 20, 8, 5), 0, 1);
  Work d = world.isend(waybill::column(matrix.data(), 20, 8, 5), 0, 2);
  for (Work* work : {&a, &b, &c, &d}) work->wait();
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("after shutdown every handle is stale and its end does nothing") {
  std::error_code failure;
  static int in = 0;
  Work kept;
  {
    MockRuntime runtime;
    kept = runtime.world().irecv(waybill::value(in), 0);
    waybill::operation::for_each_live([](waybill::Operation& operation) {
      operation.context->registry.release(operation.record);
      waybill::engine::Engine::completed();
      waybill::operation::release(operation);
    });
  }
  REQUIRE(code_of([&] { kept.wait(); }) == Errc::not_running);
  kept.wait(failure);
  REQUIRE(failure == Errc::not_running);
  // also when another Runtime uses the slot again
  MockRuntime next;
  int other = 0;
  Work fresh = next.world().irecv(waybill::value(other), 0);
  REQUIRE(code_of([&] { kept.wait(); }) == Errc::not_running);
  kept = Work();
  REQUIRE(kinds(next).empty());
  REQUIRE(fresh.cancel());
}

TEST_CASE("a post that the transport refuses leaves nothing behind") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  runtime.transport.refuse_posts = true;
  REQUIRE(code_of([&] { static_cast<void>(world.irecv(waybill::value(in), 0)); }) ==
          Errc::transport);
  std::error_code failure;
  REQUIRE_FALSE(world.isend(waybill::value(in), 0, 0, failure).valid());
  REQUIRE(failure == Errc::transport);
  runtime.transport.refuse_posts = false;
  Work again = world.irecv(waybill::value(in), 0);  // no overlap with the refused one
  REQUIRE(again.cancel());
  REQUIRE(kinds(runtime).empty());
}

TEST_CASE("a container is handed back only when its operation was seen complete") {
  waybill::OwnedWork<std::vector<int>> stale;
  {
    MockRuntime runtime;
    const auto world = runtime.world();
    stale = world.irecv(std::vector<int>(3), 0);
    const int out[3] = {1, 2, 3};
    world.send(out, 0);
    stale.wait();
    waybill::operation::for_each_live(
        [](waybill::Operation& operation) { waybill::operation::release(operation); });
  }
  std::error_code failure;
  REQUIRE(stale.take(failure).empty());
  REQUIRE(failure == Errc::not_running);

  MockRuntime runtime;
  auto in_flight = runtime.world().irecv(std::vector<int>(3), 0);
  const waybill::engine::ThreadActivity elsewhere;
  waybill::operation::only_thread.store(&elsewhere);  // as if MPI were for another thread
  waybill::operation::life.store(waybill::operation::Life::limited);
  REQUIRE(in_flight.take(failure).empty());
  REQUIRE(failure == Errc::wrong_thread);
  waybill::operation::only_thread.store(nullptr);
  REQUIRE(in_flight.cancel());
  REQUIRE(in_flight.take(failure).size() == 3);
  REQUIRE(failure == Errc::cancelled);
}

TEST_CASE("time-outs far below zero end at once, on every clock") {
  MockRuntime runtime;
  int in = 0;
  Work receive = runtime.world().irecv(waybill::value(in), 0);
  std::error_code failure;
  REQUIRE_FALSE(receive.wait_for(std::chrono::hours(-10'000'000)));
  REQUIRE_FALSE(receive.wait_for(std::chrono::nanoseconds::min()));
  REQUIRE_FALSE(receive.wait_for(std::chrono::duration<double>(-1e300)));
  REQUIRE_FALSE(receive.wait_until(std::chrono::system_clock::time_point::min()));
  REQUIRE_FALSE(receive.wait_until(std::chrono::steady_clock::time_point::min()));
  REQUIRE_FALSE(receive.wait_until(std::chrono::system_clock::now(), failure));
  REQUIRE_FALSE(failure);
  REQUIRE(receive.cancel());
}
