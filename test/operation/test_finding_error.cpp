// SPDX-License-Identifier: BSD-3-Clause
#include "operation/finding_error.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/communicator.hpp"
#include "waybill/wait.hpp"

using namespace std::chrono_literals;
using test_support::MockRuntime;
using waybill::Communicator;
using waybill::Errc;
using waybill::Error;
using waybill::SourceLocation;
using waybill::Work;

namespace {

/// Whose sends need no receive to end.
struct ThrowingRuntime : MockRuntime {
  ThrowingRuntime() : MockRuntime({.thorough = true, .throws = true}) {
    transport.sends_end_at_post = true;
  }
};

/// What the call throws; an empty routine if nothing.
struct Thrown {
  Errc code{};
  std::string routine;
  std::string text;
  std::uint32_t line = 0;
};

template <class Call>
Thrown thrown_by(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return {static_cast<Errc>(error.code().value()), error.routine(), error.what(),
            error.where().line()};
  }
  return {};
}

bool is_finding(const Thrown& thrown, const std::string& routine) {
  return thrown.code == Errc::finding && thrown.routine == routine;
}

/// Makes a finding where nothing can be thrown.
void drop(const Communicator& world, std::uint32_t line) {
  static const int out = 1;
  const Work dropped =
      world.isend(waybill::value(out), 0, 99, SourceLocation::current("drop.cpp", "drop", line));
}

}  // namespace

TEST_CASE("a post that finds an overlap throws, and nothing is in flight") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  Work first = world.irecv(waybill::value(in), 0, 1);
  const Thrown thrown = thrown_by([&] {
    Work second =
        world.irecv(waybill::value(in), 0, 2, SourceLocation::current("halo.cpp", "exchange", 12));
  });
  CHECK(is_finding(thrown, "irecv"));
  CHECK(thrown.line == 12);
  CHECK_THAT(thrown.text, ContainsSubstring("irecv: overlapping-buffers: irecv #"));
  CHECK_THAT(thrown.text, ContainsSubstring("halo.cpp:12 in exchange"));
  CHECK_THAT(thrown.text, ContainsSubstring("; to do: "));
  CHECK(thrown.text.find('\n') == std::string::npos);
  CHECK(runtime.transport.in_flight() == 1);
  const int out = 7;
  world.send(waybill::value(out), 0, 1);  // thrown once
  first.wait();
  CHECK(in == 7);
  Work third = world.irecv(waybill::value(in), 0, 1);  // the second left nothing behind
  CHECK(third.cancel());
  CHECK(runtime.findings.take().size() == 1);
}

TEST_CASE("the twin of a post gives it as a code, and posts nothing") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  Work first = world.irecv(waybill::value(in), 0, 1);
  std::error_code failure;
  const Work second = world.irecv(waybill::value(in), 0, 2, failure);
  CHECK(failure == Errc::finding);
  CHECK_FALSE(second.valid());
  CHECK(runtime.transport.in_flight() == 1);
  const Work third = world.irecv(waybill::value(in), 0, 2, failure);  // a finding of its own
  CHECK(failure == Errc::finding);
  CHECK(first.cancel());
}

TEST_CASE("what a destructor found is thrown by the thread's next call that can") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  const int out = 7;
  Work work = world.irecv(waybill::value(in), 0, 1);
  Work send = world.isend(waybill::value(out), 0, 1);
  send.wait();

  drop(world, 1);
  Thrown thrown = thrown_by([&] { work.wait(); });
  CHECK(is_finding(thrown, "wait"));
  CHECK(thrown.line == 1);
  CHECK(in == 7);  // the wait has done its work
  CHECK(thrown_by([&] { work.wait(); }).routine.empty());

  drop(world, 2);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(work.test()); }), "test"));
  drop(world, 3);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(work.status()); }), "status"));
  drop(world, 4);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(work.wait_for(1s)); }), "wait_until"));
  drop(world, 5);
  CHECK(is_finding(thrown_by([&] { waybill::wait_all(std::span(&work, 1)); }), "wait_all"));
  drop(world, 6);
  CHECK(is_finding(thrown_by([&] { world.send(waybill::value(out), 0, 2); }), "send"));
  CHECK(thrown_by([&] { static_cast<void>(work.status()); }).routine.empty());
}

TEST_CASE("calls that do not throw leave it") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  const int out = 7;
  Work work = world.irecv(waybill::value(in), 0, 1);
  world.send(waybill::value(out), 0, 1);
  drop(world, 1);
  std::error_code failure;
  work.wait(failure);
  CHECK_FALSE(failure);
  CHECK(work.test(failure));
  CHECK_FALSE(failure);
  CHECK(is_finding(thrown_by([&] { work.wait(); }), "wait"));
}

TEST_CASE("a call that gives up in time throws as well, and the operation goes on") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  Work work = world.irecv(waybill::value(in), 0, 1);
  drop(world, 1);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(work.wait_for(0s)); }), "wait_until"));
  drop(world, 2);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(work.test()); }), "test"));
  drop(world, 3);
  CHECK(is_finding(
      thrown_by([&] { static_cast<void>(waybill::wait_all_for(std::span(&work, 1), 0s)); }),
      "wait_all"));
  const int out = 7;
  world.send(waybill::value(out), 0, 1);
  work.wait();
  CHECK(in == 7);
}

TEST_CASE("wait_any and wait_some throw before they wait, so that no index is lost") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  const int out = 7;
  Work work = world.irecv(waybill::value(in), 0, 1);
  const std::span works(&work, 1);
  world.send(waybill::value(out), 0, 1);
  drop(world, 1);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(waybill::wait_any(works)); }), "wait_any"));
  CHECK(waybill::wait_any(works) == 0);
  work = world.irecv(waybill::value(in), 0, 1);
  world.send(waybill::value(out), 0, 1);
  drop(world, 2);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(waybill::wait_some(works)); }), "wait_some"));
  CHECK(waybill::wait_some(works) == std::vector<std::size_t>{0});
}

TEST_CASE("an operation that failed throws its own error, once") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  const bool all_at_once = GENERATE(false, true);
  int in = 0;
  const std::vector<int> out{1, 2, 3};
  Work work = world.irecv(waybill::value(in), 0, 1);
  world.send(out, 0, 1);
  const Thrown thrown = thrown_by([&] {
    if (all_at_once) {
      waybill::wait_all(std::span(&work, 1));
    } else {
      work.wait();
    }
  });
  CHECK(thrown.code == Errc::truncated);
  CHECK(runtime.findings.take().size() == 1);
  // the finding of the same mistake does not come as well
  CHECK(thrown_by([&] { world.send(out, 0, 2); }).routine.empty());
}

TEST_CASE("an owned buffer is still there after a finding") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  const std::vector<int> out{1, 2, 3};
  auto work = world.irecv(std::vector<int>(3), 0, 1);
  world.send(out, 0, 1);
  drop(world, 1);
  CHECK(is_finding(thrown_by([&] { static_cast<void>(work.take()); }), "wait"));
  CHECK(work.take() == out);
}

TEST_CASE("sendrecv leaves no receive behind") {
  ThrowingRuntime runtime;
  const auto world = runtime.world();
  int both = 0;
  const Thrown thrown = thrown_by(
      [&] { static_cast<void>(world.sendrecv(waybill::value(both), 0, waybill::value(both), 0)); });
  CHECK(is_finding(thrown, "sendrecv"));
  CHECK(runtime.transport.in_flight() == 0);
}

TEST_CASE("without the policy nothing is thrown") {
  const bool thorough = GENERATE(false, true);
  MockRuntime runtime({.thorough = thorough});
  runtime.transport.sends_end_at_post = true;
  const auto world = runtime.world();
  int in = 0;
  Work first = world.irecv(waybill::value(in), 0, 1);
  Work second = world.irecv(waybill::value(in), 0, 2);
  drop(world, 1);
  CHECK(first.cancel());
  CHECK(second.cancel());
  CHECK(runtime.findings.take().size() == 2);
}
