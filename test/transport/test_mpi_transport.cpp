// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_transport.hpp"

#include <vector>

#include "support/catch.hpp"
#include "transport/mpi/mpi_channels.hpp"

using waybill::BufferShape;
using waybill::Errc;
using waybill::registry::Kind;
using waybill::transport::Completion;
using waybill::transport::Envelope;
using waybill::transport::FailurePointer;
using waybill::transport::Outcome;
using waybill::transport::Request;
using waybill::transport::mpi::MpiChannels;
using waybill::transport::mpi::MpiTransport;

namespace {

BufferShape shape(std::vector<std::uint8_t>& memory, std::size_t bytes) {
  return {memory.data(), bytes, 1, 0, 1, 0, waybill::Element::byte};
}

}  // namespace

namespace {

struct Test {
  Request* request = nullptr;
  waybill::transport::Tested what{};
  Completion* completion = nullptr;
  Outcome outcome = Outcome::in_flight;
};

/// Tests until the transfer has ended.
Outcome end_of(MpiTransport& transport, Request& request, Kind kind, Completion& completion) {
  if (request.ended_at_post()) return Outcome::ended;
  while (true) {
    const Outcome outcome = transport.test(request, {kind, false}, completion);
    if (outcome != Outcome::in_flight) return outcome;
    transport.progress();
  }
}

}  // namespace

TEST_CASE("a truncated receive ends with the reason, and does not end the job") {
  MpiTransport transport;
  MpiChannels channels({});
  const int peer = 1 - channels.rank(channels.world());
  const Envelope envelope{channels.world(), peer, 3};
  for (const std::size_t bytes : {64UL, 65536UL}) {
    std::vector<std::uint8_t> in(bytes);
    std::vector<std::uint8_t> out(bytes);
    Request receive;
    Request send;
    REQUIRE(transport.receive(shape(in, bytes / 2), envelope, receive) == nullptr);
    REQUIRE(transport.send(shape(out, bytes), envelope, send) == nullptr);
    Completion received;
    Completion sent;
    REQUIRE(end_of(transport, receive, Kind::receive, received) == Outcome::failed);
    REQUIRE(end_of(transport, send, Kind::send, sent) == Outcome::ended);
    REQUIRE(received.failure != nullptr);
    REQUIRE(received.failure->code == Errc::truncated);
    REQUIRE(received.failure->routine == "MPI_Test");
    REQUIRE_FALSE(received.failure->text.empty());
    REQUIRE(received.source == peer);
    REQUIRE(received.tag == 3);
    if (received.failure->message_bytes) REQUIRE(*received.failure->message_bytes == bytes);
    REQUIRE(sent.failure == nullptr);
  }
}

TEST_CASE("of many requests each tells how it ended") {
  MpiTransport transport;
  MpiChannels channels({});
  const int peer = 1 - channels.rank(channels.world());
  constexpr int messages = 8;
  constexpr int too_long = 3;  // tag of a message that the buffer does not hold
  constexpr int cancelled = 5;
  std::vector<std::vector<std::uint8_t>> in(messages, std::vector<std::uint8_t>(64, 0));
  std::vector<std::vector<std::uint8_t>> out(messages);
  std::vector<Request> requests(2 * messages);
  std::vector<Completion> completions(requests.size());
  std::vector<Test> tests;
  const auto add = [&](std::size_t number, Kind kind, bool cancel_asked) {
    if (requests[number].ended_at_post()) return;
    tests.push_back({&requests[number], {kind, cancel_asked}, &completions[number], {}});
  };
  for (std::size_t i = 0; i < messages; ++i) {
    const Envelope envelope{channels.world(), peer, static_cast<int>(i)};
    const std::size_t bytes = i == too_long ? 8 : 64;
    REQUIRE(transport.receive(shape(in[i], bytes), envelope, requests[i]) == nullptr);
    if (i == cancelled) transport.cancel(requests[i]);
    add(i, Kind::receive, i == cancelled);
  }
  for (std::size_t i = 0; i < messages; ++i) {
    const Envelope envelope{channels.world(), peer, static_cast<int>(i)};
    out[i].assign(16, static_cast<std::uint8_t>(i + 1));
    Request& request = requests[messages + i];
    if (i == cancelled) continue;
    REQUIRE(transport.send(shape(out[i], 16), envelope, request) == nullptr);
    add(messages + i, Kind::send, false);
  }
  std::vector<Outcome> ends(messages, Outcome::in_flight);
  while (!tests.empty()) {
    for (Test& test : tests) {
      test.outcome = transport.test(*test.request, test.what, *test.completion);
      if (test.outcome == Outcome::in_flight) continue;
      const auto number = static_cast<std::size_t>(test.request - requests.data());
      if (number < messages) ends[number] = test.outcome;
      else REQUIRE(test.outcome == Outcome::ended);
    }
    std::erase_if(tests, [](const Test& test) { return test.outcome != Outcome::in_flight; });
  }
  for (std::size_t i = 0; i < messages; ++i) {
    INFO("tag " << i);
    const Completion& got = completions[i];
    if (i == too_long) {
      REQUIRE(ends[i] == Outcome::failed);
      REQUIRE(got.failure != nullptr);
      REQUIRE(got.failure->code == Errc::truncated);
      REQUIRE(got.source == peer);
    } else if (i == cancelled) {
      REQUIRE(ends[i] == Outcome::cancelled);
    } else {
      REQUIRE(ends[i] == Outcome::ended);
      REQUIRE(got.failure == nullptr);
      REQUIRE(got.bytes == 16);
      REQUIRE(got.source == peer);
      REQUIRE(got.tag == static_cast<int>(i));
      REQUIRE(in[i][15] == i + 1);
      REQUIRE(in[i][16] == 0);
    }
  }
}

TEST_CASE("the application's error handler of MPI_COMM_WORLD comes back") {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Errhandler after = MPI_ERRHANDLER_NULL;
  for (MPI_Errhandler own : {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN}) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    { MpiTransport transport; }
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
    REQUIRE(before == after);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&after);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST_CASE("what MPI refuses comes back with its words") {
  MpiTransport transport;
  MpiChannels channels({});
  std::vector<std::uint8_t> memory(8);
  Request request;
  const FailurePointer failure(
      transport.send(shape(memory, 8), {channels.world(), 99, 0}, request));
  REQUIRE(failure != nullptr);
  REQUIRE(failure->code == Errc::transport);
  REQUIRE(failure->routine == "MPI_Isend");
  REQUIRE(failure->text.find('\n') == std::string::npos);
}

TEST_CASE("progress drives a transfer that nobody tests") {
  MpiTransport transport;
  MpiChannels channels({});
  const int peer = 1 - channels.rank(channels.world());
  const Envelope envelope{channels.world(), peer, 4};
  const std::size_t bytes = std::size_t{1} << 20;
  std::vector<std::uint8_t> in(bytes, 0);
  std::vector<std::uint8_t> out(bytes, 9);
  Request receive;
  Request send;
  REQUIRE(transport.receive(shape(in, bytes), envelope, receive) == nullptr);
  REQUIRE(transport.send(shape(out, bytes), envelope, send) == nullptr);
  volatile std::uint8_t* const last = &in.back();
  while (*last != 9) transport.progress();
  Completion completion;
  REQUIRE(end_of(transport, receive, Kind::receive, completion) == Outcome::ended);
  REQUIRE(end_of(transport, send, Kind::send, completion) == Outcome::ended);
}
