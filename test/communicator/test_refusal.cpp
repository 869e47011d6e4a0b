// SPDX-License-Identifier: BSD-3-Clause
// What is refused before MPI sees it, and what the error says.
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/waybill.hpp"

using test_support::MockRuntime;
using waybill::Communicator;
using waybill::Errc;
using waybill::Error;

namespace {

template <class Call>
std::string text_of(Errc code, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    REQUIRE(error.code() == code);
    REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  FAIL("no error");
  return {};
}

}  // namespace

TEST_CASE("a rank outside, with the line and what is allowed") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int x = 0;
  const std::string line = std::to_string(__LINE__ + 2);
  const std::string text =
      text_of(Errc::invalid_rank, [&] { static_cast<void>(world.isend(waybill::value(x), 1, 3)); });
  REQUIRE_THAT(text, ContainsSubstring("isend to rank 1, tag 3 (test_refusal.cpp:" + line));
  REQUIRE_THAT(text, ContainsSubstring("has 1 rank: use 0 .. 0"));
  text_of(Errc::invalid_rank, [&] { world.send(waybill::value(x), -7); });
  text_of(Errc::invalid_rank, [&] { world.recv(waybill::value(x), -3); });
  REQUIRE_THAT(
      text_of(Errc::invalid_rank, [&] { world.send(waybill::value(x), waybill::any_source); }),
      ContainsSubstring("any_source is for receives"));
}

TEST_CASE("a tag outside, with the bound") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int x = 0;
  REQUIRE_THAT(text_of(Errc::invalid_tag, [&] { world.send(waybill::value(x), 0, 32768); }),
               ContainsSubstring("tag 32768 is outside 0 .. 32767"));
  text_of(Errc::invalid_tag, [&] { world.send(waybill::value(x), 0, -2); });
  text_of(Errc::invalid_tag, [&] { static_cast<void>(world.irecv(waybill::value(x), 0, -2)); });
  REQUIRE_THAT(
      text_of(Errc::invalid_tag, [&] { world.send(waybill::value(x), 0, waybill::any_tag); }),
      ContainsSubstring("any_tag is for receives"));
  text_of(Errc::invalid_tag, [&] { static_cast<void>(world.iprobe(0, 40000)); });
}

TEST_CASE("memory that cannot be") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int* const nowhere = nullptr;
  REQUIRE_THAT(text_of(Errc::invalid_buffer, [&] { world.send(std::span<int>(nowhere, 4), 0); }),
               ContainsSubstring("null pointer, but has 4 elements"));
  text_of(Errc::invalid_buffer, [&] { world.recv(waybill::column(nowhere, 3, 4, 1), 0); });
  text_of(Errc::invalid_buffer, [&] { world.recv(waybill::block(nowhere, 4, 1, 1, 2, 2), 0); });
  int x[8] = {};
  REQUIRE_THAT(text_of(Errc::invalid_buffer,
                       [&] {
                         world.recv(waybill::StridedView<int>{x, 2, 3, 2}, 0);
                       }),
               ContainsSubstring("overlap each other"));
  world.isend(waybill::StridedView<const int>{x, 2, 3, 2}, 0).detach();  // reading twice is fine
  text_of(Errc::invalid_buffer,
          [&] { world.send(std::span<int>(x, std::numeric_limits<std::size_t>::max() / 2), 0); });
  text_of(Errc::invalid_buffer, [&] {
    world.send(waybill::StridedView<int>{x, std::numeric_limits<std::size_t>::max() / 2, 4, 4}, 0);
  });
  std::vector<int> in(6);
  world.recv(in, 0);
}

TEST_CASE("an empty communicator, and none at all") {
  int x = 0;
  REQUIRE_THAT(text_of(Errc::empty_handle, [&] { Communicator().send(waybill::value(x), 0); }),
               ContainsSubstring("empty"));
  Communicator late;
  {
    MockRuntime runtime;
    late = runtime.world();
  }
  REQUIRE_THAT(text_of(Errc::not_running, [&] { late.send(waybill::value(x), 0); }),
               ContainsSubstring("Runtime was shut down"));
  text_of(Errc::not_running, [&] { static_cast<void>(late.rank()); });
  text_of(Errc::not_running, [&] { static_cast<void>(Communicator::world()); });
  text_of(Errc::not_running, [&] { static_cast<void>(late.dup()); });
  MockRuntime next;
  text_of(Errc::not_running, [&] { late.send(waybill::value(x), 0); });
}

TEST_CASE("sendrecv leaves nothing in flight when it is refused") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int in = 0;
  int out = 0;
  text_of(Errc::invalid_rank,
          [&] { world.sendrecv(waybill::value(out), 4, waybill::value(in), 0); });
  text_of(Errc::invalid_rank,
          [&] { world.sendrecv(waybill::value(out), 0, waybill::value(in), 4); });
  REQUIRE(runtime.transport.in_flight() == 0);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("the twins report the same without throwing") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int x = 0;
  std::error_code failure;
  REQUIRE_FALSE(world.isend(waybill::value(x), 9, 0, failure).valid());
  REQUIRE(failure == Errc::invalid_rank);
  REQUIRE_FALSE(world.irecv(waybill::value(x), 0, 99999, failure).valid());
  REQUIRE(failure == Errc::invalid_tag);
  world.send(waybill::value(x), 9, 0, failure);
  REQUIRE(failure == Errc::invalid_rank);
  REQUIRE(world.recv(waybill::value(x), 9, 0, failure).bytes() == 0);
  REQUIRE(failure == Errc::invalid_rank);
  int y = 3;
  world.sendrecv(waybill::value(y), 9, waybill::value(x), 0, 0, failure);
  REQUIRE(failure == Errc::invalid_rank);
  REQUIRE(world.sendrecv(waybill::value(y), 0, waybill::value(x), 0, 0, failure).bytes() == 4);
  REQUIRE_FALSE(failure);
  REQUIRE(x == 3);
}
