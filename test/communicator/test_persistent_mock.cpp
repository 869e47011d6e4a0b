// SPDX-License-Identifier: BSD-3-Clause
// Persistent operations without a launcher: rules, errors, and what findings name.
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/waybill.hpp"

using test_support::MockRuntime;
using waybill::Errc;
using waybill::Error;
using waybill::FindingKind;
using waybill::PersistentWork;

namespace {

template <class Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  FAIL("no error");
  return Error(Errc::transport, {});
}

}  // namespace

TEST_CASE("started again and again, each time a new message") {
  const bool thorough = GENERATE(false, true);
  MockRuntime runtime({.thorough = thorough});
  const auto world = runtime.world();
  int out = 0;
  int in = 0;
  PersistentWork send = world.send_init(waybill::value(out), 0, 3);
  PersistentWork receive = world.recv_init(waybill::value(in), 0, 3);
  REQUIRE(runtime.transport.in_flight() == 0);
  for (int step = 1; step < 50; ++step) {
    out = step;
    receive.start();
    REQUIRE(receive.active());
    send.start();
    if (step % 2 == 0) {
      receive.wait();
      send.wait();
    } else {
      while (!receive.test() || !send.test()) {
      }
    }
    REQUIRE_FALSE(receive.active());
    REQUIRE(in == step);
    REQUIRE(receive.status().bytes() == sizeof in);
    receive.wait();  // again: the same answer
    REQUIRE(receive.test());
  }
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("what never was started is an empty handle, and silent") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int x = 0;
  PersistentWork send = world.send_init(waybill::value(x), 0);
  REQUIRE_FALSE(send.active());
  REQUIRE(error_of([&] { send.wait(); }).code() == Errc::empty_handle);
  REQUIRE(error_of([&] { static_cast<void>(send.test()); }).code() == Errc::empty_handle);
  REQUIRE(error_of([&] { static_cast<void>(send.status()); }).code() == Errc::empty_handle);
  PersistentWork none;
  REQUIRE(error_of([&] { none.start(); }).code() == Errc::empty_handle);
  none = std::move(send);
  REQUIRE(error_of([&] { send.start(); }).code() == Errc::empty_handle);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("a start while active is refused and changes nothing") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int out = 8;
  int in = 0;
  const unsigned made = __LINE__ + 1;
  PersistentWork receive = world.recv_init(waybill::value(in), 0, 5);
  receive.start();
  const unsigned line = __LINE__ + 1;
  const Error error = error_of([&] { receive.start(); });
  REQUIRE(error.code() == Errc::invalid_option);
  REQUIRE(error.where().line() == line);
  REQUIRE_THAT(error.what(),
               ContainsSubstring("start (test_persistent_mock.cpp:" + std::to_string(line)));
  REQUIRE_THAT(error.what(), ContainsSubstring("still active"));
  REQUIRE_THAT(error.what(), ContainsSubstring("test_persistent_mock.cpp:" + std::to_string(made)));
  std::error_code failure;
  receive.start(failure);
  REQUIRE(failure == Errc::invalid_option);
  REQUIRE(receive.active());
  REQUIRE(runtime.transport.in_flight() == 1);
  world.send(waybill::value(out), 0, 5);
  receive.wait();
  REQUIRE(in == 8);
  receive.start(failure);
  REQUIRE_FALSE(failure);
  REQUIRE(receive.cancel());
  receive.start();  // a cancelled one is over
  REQUIRE(receive.cancel());
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("wrong arguments are refused when it is made, with the line") {
  MockRuntime runtime;
  auto part = runtime.world().dup();
  int x = 0;
  int* const nowhere = nullptr;
  const unsigned line = __LINE__ + 1;
  const Error error = error_of([&] { static_cast<void>(part.send_init(waybill::value(x), 4, 2)); });
  REQUIRE(error.code() == Errc::invalid_rank);
  REQUIRE(error.where().line() == line);
  REQUIRE_THAT(error.what(), ContainsSubstring("send_init to rank 4, tag 2"));
  REQUIRE(error_of([&] { static_cast<void>(part.recv_init(waybill::value(x), 0, -5)); }).code() ==
          Errc::invalid_tag);
  REQUIRE(error_of([&] {
            static_cast<void>(part.recv_init(std::span<int>(nowhere, 2), 0));
          }).code() == Errc::invalid_buffer);
  PersistentWork send = part.send_init(waybill::value(x), 0);
  part.free();
  REQUIRE(error_of([&] { send.start(); }).code() == Errc::empty_handle);
  REQUIRE_FALSE(send.active());
}

TEST_CASE("after shutdown a start is refused, and the handle is no more") {
  int x = 0;
  PersistentWork send;
  {
    MockRuntime runtime;
    send = runtime.world().send_init(waybill::value(x), 0);
    PersistentWork receive = runtime.world().recv_init(waybill::value(x), 0);
    send.start();
    receive.start();
    send.wait();
    receive.wait();
  }
  REQUIRE(error_of([&] { send.start(); }).code() == Errc::not_running);
}

TEST_CASE("a refused start leaves it as if it had not been started") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int out = 1;
  int in = 0;
  PersistentWork send = world.send_init(waybill::value(out), 0, 1);
  runtime.transport.refuse_posts = true;
  REQUIRE(error_of([&] { send.start(); }).code() == Errc::transport);
  REQUIRE_FALSE(send.active());
  runtime.transport.refuse_posts = false;
  send.start();
  world.recv(waybill::value(in), 0, 1);
  send.wait();
  REQUIRE(in == 1);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("findings name the line it was made at and the line of the start") {
  std::vector<int> in(4);  // a dropped operation writes until the Runtime has ended
  MockRuntime runtime;
  const auto world = runtime.world();
  const std::vector<int> out(4, 1);
  const unsigned made = __LINE__ + 2;
  {
    PersistentWork receive = world.recv_init(in, 0, 1);
    receive.start();
    world.send(out, 0, 1);
    receive.wait();
    receive.start();
  }
  auto findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::dropped_handle);
  REQUIRE(findings[0].site.line == made);
  REQUIRE(findings[0].other.line == made + 4);
  REQUIRE_THAT(findings[0].what, ContainsSubstring("started at test_persistent_mock.cpp:" +
                                                   std::to_string(made + 4)));
  world.send(out, 0, 1);

  // A short message is told when the next start forgets it; an ordinary post has no other line.
  PersistentWork longer = world.recv_init(in, 0, 2);
  longer.start();
  world.send(std::span(out).first(2), 0, 2);
  longer.wait();
  REQUIRE(runtime.findings.take().empty());
  longer.start();
  findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::short_message);
  REQUIRE(findings[0].other.line != 0);
  { const waybill::Work dropped = world.irecv(in, 0, 3); }
  findings = runtime.findings.take();
  REQUIRE(findings.size() == 2);  // it overlaps, too
  REQUIRE(findings[0].kind == FindingKind::overlapping_buffers);
  REQUIRE(findings[1].other.line == 0);
  world.send(out, 0, 2);
  longer.wait();
  world.send(out, 0, 3);
}

TEST_CASE("an operation moved out of its handle goes on alone") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int out = 3;
  int in[2] = {};
  PersistentWork receive = world.recv_init(waybill::value(in[0]), 0, 1);
  receive.start();
  PersistentWork moved = std::move(receive);
  REQUIRE_FALSE(receive.active());
  REQUIRE(moved.active());
  world.send(waybill::value(out), 0, 1);
  moved.wait();
  REQUIRE(in[0] == 3);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("start_all and wait_all, with the first failure thrown when all are through") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> out(4, 7);
  std::vector<int> in(4);
  std::vector<PersistentWork> works;
  works.push_back(world.recv_init(std::span(in).first(1), 0, 1));
  works.push_back(world.recv_init(std::span(in).subspan(1, 3), 0, 2));
  works.push_back(world.send_init(std::span(out).first(2), 0, 1));
  works.push_back(world.send_init(std::span(out).first(3), 0, 2));
  works.emplace_back();
  REQUIRE(error_of([&] { waybill::start_all(works); }).code() == Errc::empty_handle);
  REQUIRE(works[3].active());  // those before it
  REQUIRE(error_of([&] { waybill::wait_all(works); }).code() == Errc::truncated);
  for (const PersistentWork& work : works) REQUIRE_FALSE(work.active());
  REQUIRE(in[3] == 7);
  const auto findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::truncated);
}
