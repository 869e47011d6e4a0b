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
