// SPDX-License-Identifier: BSD-3-Clause
// Batches over MPI.
#include <chrono>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

using test_support::message;
using test_support::Ring;
using waybill::Batch;
using waybill::BatchWork;
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

TEST_CASE("a halo exchange in both directions, at sizes that libraries treat differently") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    const Bytes to_next = message(ring.rank, 1, bytes);
    const Bytes to_previous = message(ring.rank, 2, bytes);
    Bytes from_previous(bytes);
    Bytes from_next(bytes);
    Batch batch;
    batch.isend(to_next, ring.next, 1);
    batch.isend(to_previous, ring.previous, 2);
    const std::size_t left = batch.irecv(from_previous, ring.previous, 1);
    batch.irecv(from_next, ring.next, 2);
    BatchWork works = world.post(std::move(batch));
    works.wait();
    REQUIRE(from_previous == message(ring.previous, 1, bytes));
    REQUIRE(from_next == message(ring.next, 2, bytes));
    REQUIRE(works[left].status().source() == ring.previous);
  }
}

TEST_CASE("ranks with batches of different sizes do not stall each other") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    // Rank 0 sends to and receives from each; the others have a member or two.
    Batch batch;
    std::vector<Bytes> out;
    std::vector<Bytes> in(static_cast<std::size_t>(ring.size), Bytes(bytes));
    for (int peer = 0; peer < ring.size; ++peer) out.push_back(message(ring.rank, 7, bytes));
    if (ring.rank == 0) {
      for (int peer = 0; peer < ring.size; ++peer) {
        batch.isend(out[static_cast<std::size_t>(peer)], peer, 3);
      }
      batch.irecv(in[0], 0, 3);
    } else {
      batch.irecv(in[0], 0, 3);
    }
    BatchWork works = world.post(std::move(batch));
    REQUIRE(works.size() == (ring.rank == 0 ? static_cast<std::size_t>(ring.size) + 1 : 1));
    works.wait();
    REQUIRE(in[0] == message(0, 7, bytes));
  }
}

TEST_CASE("messages with one tag arrive in the order in which they were added") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  constexpr std::size_t members = 5000;
  std::vector<std::size_t> out(members);
  std::vector<std::size_t> in(members);
  Batch batch;
  batch.reserve(2 * members);
  for (std::size_t i = 0; i < members; ++i) {
    out[i] = i + 1;
    batch.isend(waybill::value(out[i]), ring.next, 4);
    batch.irecv(waybill::value(in[i]), ring.previous, 4);
  }
  BatchWork works = world.post(std::move(batch));
  REQUIRE(works.size() == 2 * members);
  std::size_t seen = 0;
  while (const auto index = waybill::wait_any(works)) {
    REQUIRE(*index < 2 * members);
    if (++seen == 100) break;
  }
  while (!works.test()) {
  }
  REQUIRE(in == out);
}

TEST_CASE("each handle can be waited for alone, and the rest later") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  int first = 0;
  int second = 0;
  const int mine = ring.rank;
  Batch batch;
  batch.irecv(waybill::value(first), ring.previous, 1);
  batch.irecv(waybill::value(second), ring.previous, 2);
  batch.isend(waybill::value(mine), ring.next, 1);
  BatchWork works = world.post(std::move(batch));
  works[0].wait();
  REQUIRE(first == ring.previous);
  REQUIRE_FALSE(works.wait_for(std::chrono::milliseconds(1)));  // nobody has sent the second
  world.dup().free();  // nobody sends it before all have looked
  waybill::Work late = world.isend(waybill::value(mine), ring.next, 2);
  works.wait();
  late.wait();
  REQUIRE(second == ring.previous);
}

TEST_CASE("owned containers, null_rank and wildcards") {
  Silent silent;
  const auto world = silent.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    int nothing = 5;
    Batch batch;
    const std::size_t in = batch.irecv(Bytes(bytes), waybill::any_source, waybill::any_tag);
    batch.isend(message(ring.rank, 3, bytes), ring.next, 8);
    batch.irecv(waybill::value(nothing), waybill::null_rank);
    BatchWork works = world.post(std::move(batch));
    REQUIRE(works.owned<Bytes>(in).take() == message(ring.previous, 3, bytes));
    works.wait();
    REQUIRE(nothing == 5);
    world.dup().free();  // the next message would match any source too
  }
}
