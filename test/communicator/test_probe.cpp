// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

using test_support::Ring;
using waybill::Runtime;
using waybill::Work;

TEST_CASE("probe tells the size, so that a buffer can be made for it") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    Work send = world.isend(test_support::message(ring.rank, 1, bytes), ring.next, 4);
    const waybill::Status status = world.probe(waybill::any_source, waybill::any_tag);
    REQUIRE(status.source() == ring.previous);
    REQUIRE(status.tag() == 4);
    REQUIRE(status.bytes() == bytes);
    REQUIRE(status.elements() == bytes);
    std::vector<std::uint8_t> in(status.bytes());
    world.recv(in, status.source(), status.tag());
    REQUIRE(in == test_support::message(ring.previous, 1, bytes));
    send.wait();
  }
}

TEST_CASE("iprobe answers at once") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  REQUIRE_FALSE(world.iprobe(ring.previous, 77).has_value());
  const std::vector<double> out(10);
  Work send = world.isend(out, ring.next, 77);
  std::optional<waybill::Status> found;
  while (!found) found = world.iprobe(ring.previous, 77);
  REQUIRE(found->elements_of<double>() == 10);
  std::vector<double> in(10);
  world.recv(in, ring.previous, 77);
  send.wait();
}

TEST_CASE("a peer that does not exist always has an empty message") {
  Runtime runtime;
  const waybill::Status status = runtime.world().probe(waybill::null_rank, 3);
  REQUIRE(status.source() == waybill::null_rank);
  REQUIRE(status.tag() == waybill::any_tag);
  REQUIRE(status.bytes() == 0);
}
