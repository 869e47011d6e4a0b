// SPDX-License-Identifier: BSD-3-Clause
// Persistent operations over MPI.
#include <chrono>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

using test_support::message;
using test_support::Ring;
using waybill::PersistentWork;
using waybill::Runtime;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// That nothing was found is part of each case.
struct Silent {
  ~Silent() {
    runtime.shutdown();
    CHECK(runtime.findings() == 0);
  }
  Runtime runtime;
};

}  // namespace

TEST_CASE("a stencil's exchange, step by step, at sizes that libraries treat differently") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    Bytes to_next(bytes);
    Bytes to_previous(bytes);
    Bytes from_next(bytes);
    Bytes from_previous(bytes);
    std::vector<PersistentWork> works;
    works.push_back(world.recv_init(from_previous, ring.previous, 1));
    works.push_back(world.recv_init(from_next, ring.next, 2));
    works.push_back(world.send_init(to_next, ring.next, 1));
    works.push_back(world.send_init(to_previous, ring.previous, 2));
    const std::size_t steps = bytes > 100000 ? 5 : 50;
    for (std::size_t step = 0; step < steps; ++step) {
      // Assigned into the same memory, which the handles know.
      const Bytes next = message(ring.rank, 2 * step, bytes);
      const Bytes previous = message(ring.rank, 2 * step + 1, bytes);
      std::copy(next.begin(), next.end(), to_next.begin());
      std::copy(previous.begin(), previous.end(), to_previous.begin());
      waybill::start_all(works);
      waybill::wait_all(works);
      REQUIRE(from_previous == message(ring.previous, 2 * step, bytes));
      REQUIRE(from_next == message(ring.next, 2 * step + 1, bytes));
      REQUIRE(works[0].status().source() == ring.previous);
    }
  }
}

TEST_CASE("the other end may use ordinary posts, and order is kept with them") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  int out = 0;
  PersistentWork send = world.send_init(waybill::value(out), ring.next, 1);
  int in = 0;
  PersistentWork receive = world.recv_init(waybill::value(in), ring.previous, 1);
  for (int step = 0; step < 100; ++step) {
    out = 2 * step;
    const int odd = 2 * step + 1;
    int other = -1;
    receive.start();
    waybill::Work plain_receive = world.irecv(waybill::value(other), ring.previous, 1);
    send.start();
    waybill::Work plain_send = world.isend(waybill::value(odd), ring.next, 1);
    receive.wait();
    plain_receive.wait();
    send.wait();
    plain_send.wait();
    REQUIRE(in == 2 * step);
    REQUIRE(other == odd);
  }
}

TEST_CASE("time-outs, cancel and a new start") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  int in = 0;
  const int mine = ring.rank;
  PersistentWork receive = world.recv_init(waybill::value(in), waybill::any_source, 6);
  receive.start();
  REQUIRE_FALSE(receive.wait_for(std::chrono::milliseconds(1)));
  REQUIRE(receive.active());
  REQUIRE(receive.cancel());
  REQUIRE_FALSE(receive.active());
  receive.start();
  world.dup().free();  // nobody sends before all have started
  world.send(waybill::value(mine), ring.next, 6);
  REQUIRE(receive.wait_for(std::chrono::seconds(30)));
  REQUIRE(in == ring.previous);
  REQUIRE(receive.status().source() == ring.previous);
}

TEST_CASE("columns and null_rank") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  std::vector<double> matrix(100, ring.rank);
  std::vector<PersistentWork> works;
  works.push_back(world.recv_init(waybill::column(matrix.data(), 10, 10, 0), ring.previous, 1));
  works.push_back(world.send_init(waybill::column(matrix.data(), 10, 10, 9), ring.next, 1));
  works.push_back(
      world.recv_init(waybill::column(matrix.data(), 10, 10, 5), waybill::null_rank, 1));
  for (int step = 0; step < 10; ++step) {
    waybill::start_all(works);
    waybill::wait_all(works);
    REQUIRE(matrix[90] == ring.previous);
    REQUIRE(matrix[5] == ring.rank);
  }
}
