// SPDX-License-Identifier: BSD-3-Clause
// Every way to send and to receive, at every size, from 1 to 4 processes.
#include <chrono>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

using namespace std::chrono_literals;
using test_support::message;
using test_support::Ring;
using waybill::Runtime;
using waybill::Work;
using Bytes = std::vector<std::uint8_t>;

TEST_CASE("isend and irecv around a ring, posted in either order") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    for (const bool receive_first : {true, false}) {
      const Bytes out = message(ring.rank, bytes, bytes);
      Bytes in(bytes, 0xEE);
      Work receive;
      Work send;
      if (receive_first) receive = world.irecv(in, ring.previous, 7);
      send = world.isend(out, ring.next, 7);
      if (!receive_first) receive = world.irecv(in, ring.previous, 7);
      receive.wait();
      send.wait();
      REQUIRE(in == message(ring.previous, bytes, bytes));
      REQUIRE(receive.status().source() == ring.previous);
      REQUIRE(receive.status().tag() == 7);
      REQUIRE(receive.status().bytes() == bytes);
    }
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("sendrecv, and blocking sends beside posted receives") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    const Bytes out = message(ring.rank, 1, bytes);
    Bytes in(bytes);
    const waybill::Status status = world.sendrecv(out, ring.next, in, ring.previous, 3);
    REQUIRE(status.source() == ring.previous);
    REQUIRE(in == message(ring.previous, 1, bytes));
    Bytes again(bytes);
    Work receive = world.irecv(again, ring.previous, 4);
    world.send(out, ring.next, 4);
    receive.wait();
    REQUIRE(again == in);
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("blocking send and recv between even and odd ranks") {
  Runtime runtime;
  const auto world = runtime.world();
  const int partner = world.rank() ^ 1;
  if (partner >= world.size()) return;
  for (const std::size_t bytes : test_support::sizes) {
    const Bytes out = message(world.rank(), 2, bytes);
    Bytes in(bytes);
    if (world.rank() % 2 == 0) world.send(out, partner);
    REQUIRE(world.recv(in, partner).bytes() == bytes);
    if (world.rank() % 2 == 1) world.send(out, partner);
    REQUIRE(in == message(partner, 2, bytes));
  }
}

TEST_CASE("any source and any tag say who and what it was") {
  Runtime runtime;
  const auto world = runtime.world();
  for (const std::size_t bytes : test_support::sizes) {
    Work send = world.isend(message(world.rank(), 5, bytes), 0, 10 + world.rank());
    if (world.rank() == 0) {
      std::vector<int> seen(static_cast<std::size_t>(world.size()), 0);
      for (int i = 0; i < world.size(); ++i) {
        Bytes in(bytes);
        const waybill::Status status = world.recv(in, waybill::any_source, waybill::any_tag);
        REQUIRE(status.tag() == 10 + status.source());
        REQUIRE(in == message(status.source(), 5, bytes));
        ++seen.at(static_cast<std::size_t>(status.source()));
      }
      for (const int count : seen) REQUIRE(count == 1);
    }
    send.wait();
    world.dup().free();  // all have finished this size
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("messages to itself, also on the communicator of one") {
  Runtime runtime;
  for (const auto& comm : {runtime.world(), runtime.self()}) {
    for (const std::size_t bytes : test_support::sizes) {
      const Bytes out = message(comm.rank(), 6, bytes);
      Bytes in(bytes);
      Work send = comm.isend(out, comm.rank(), 1);
      REQUIRE(comm.recv(in, comm.rank(), 1).bytes() == bytes);
      send.wait();
      REQUIRE(in == out);
    }
  }
  REQUIRE(runtime.self().size() == 1);
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("a peer that does not exist moves nothing") {
  Runtime runtime;
  const auto world = runtime.world();
  int value = 5;
  Work send = world.isend(waybill::value(value), waybill::null_rank, 1);
  Work receive = world.irecv(waybill::value(value), waybill::null_rank, 1);  // no overlap either
  send.wait();
  receive.wait();
  REQUIRE(value == 5);
  REQUIRE(receive.status().source() == waybill::null_rank);
  REQUIRE(receive.status().bytes() == 0);
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("a late partner: timed waits end in time, and then the data comes") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  if (ring.size == 1) return;
  for (const std::size_t bytes : test_support::sizes) {
    const Bytes out = message(ring.rank, 8, bytes);
    Bytes in(bytes);
    Work receive = world.irecv(in, ring.previous, 2);
    if (ring.rank == 0) {
      REQUIRE_FALSE(receive.wait_for(50ms));
      world.send(out, ring.next, 2);
      receive.wait();
    } else {
      receive.wait();
      world.send(out, ring.next, 2);
    }
    REQUIRE(in == message(ring.previous, 8, bytes));
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("receives taken back leave their message to the next") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    Bytes never(bytes, 1);
    Work taken_back = world.irecv(never, ring.previous, 9);
    REQUIRE(taken_back.cancel());
    world.dup().free();
    const Bytes out = message(ring.rank, 9, bytes);
    Bytes in(bytes);
    Work send = world.isend(out, ring.next, 9);
    world.recv(in, ring.previous, 9);
    send.wait();
    REQUIRE(in == message(ring.previous, 9, bytes));
    REQUIRE(never == Bytes(bytes, 1));
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("dropped and detached sends arrive at every size") {
  waybill::Options quiet;
  quiet.report_text = false;
  Runtime runtime(quiet);
  const auto world = runtime.world();
  const Ring ring(world);
  std::size_t expected = 0;
  for (const std::size_t bytes : test_support::sizes) {
    const Bytes out = message(ring.rank, 10, bytes);
    for (const bool detach : {true, false}) {
      Bytes in(bytes);
      Work send = world.isend(out, ring.next, 1);
      if (detach) send.detach();
      else send = Work();
      expected += detach ? 0 : 1;
      world.recv(in, ring.previous, 1);
      REQUIRE(in == message(ring.previous, 10, bytes));
    }
    // the peer has taken both before they go out of scope
    world.sendrecv(waybill::bytes(out.data(), 0), ring.previous,
                   waybill::bytes(static_cast<void*>(nullptr), 0), ring.next, 2);
  }
  REQUIRE(runtime.findings(waybill::FindingKind::dropped_handle) == expected);
  REQUIRE(runtime.findings() == expected);
}
