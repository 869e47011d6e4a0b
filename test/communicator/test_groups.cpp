// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <vector>

#include "support/catch.hpp"
#include "waybill/mpi.hpp"
#include "waybill/waybill.hpp"

using waybill::Communicator;
using waybill::Errc;
using waybill::Error;
using waybill::Runtime;

namespace {

/// Rank 0 tells everybody a number.
void talk(const Communicator& comm) {
  const int number = 17;
  int got = 0;
  if (comm.rank() == 0) {
    for (int rank = 1; rank < comm.size(); ++rank) comm.send(waybill::value(number), rank, 1);
    got = number;
  } else {
    comm.recv(waybill::value(got), 0, 1);
  }
  REQUIRE(got == number);
}

}  // namespace

TEST_CASE("split by color and key, and stay outside") {
  Runtime runtime;
  const auto world = runtime.world();
  const int rank = world.rank();
  const auto half = world.split(rank % 2, -rank);  // the highest rank first
  REQUIRE(half.size() == (world.size() + (rank % 2 == 0 ? 1 : 0)) / 2);
  REQUIRE(half.rank() == (world.size() - 1 - rank) / 2);
  talk(half);
  const auto some = world.split(rank == 0 ? std::nullopt : std::optional<int>(3));
  REQUIRE(some.valid() == (rank != 0));
  if (rank != 0) talk(some);
  REQUIRE_THROWS_AS(world.split(-1), Error);
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("dup, free, and the calls after it") {
  Runtime runtime;
  auto copy = runtime.world().dup();
  const Communicator second = copy;  // names the same one
  talk(copy);
  copy.free();
  REQUIRE_FALSE(copy.valid());
  REQUIRE_THROWS_AS(second.rank(), Error);
  int value = 0;
  std::error_code failure;
  REQUIRE_FALSE(second.irecv(waybill::value(value), 0, 0, failure).valid());
  REQUIRE(failure == Errc::empty_handle);
  REQUIRE_THROWS_AS(runtime.world().free(), Error);
  REQUIRE_THROWS_AS(Communicator().rank(), Error);
  // MPI libraries have room for some thousands at a time only
  for (int i = 0; i < 3000; ++i) runtime.self().dup().free();
}

TEST_CASE("exact matching refuses wildcards, and works like any other") {
  Runtime runtime;
  const auto exact = runtime.world().dup({.exact_matching = true});
  REQUIRE(exact.exact_matching());
  int value = 0;
  std::error_code failure;
  REQUIRE_FALSE(exact.irecv(waybill::value(value), waybill::any_source, 0, failure).valid());
  REQUIRE(failure == Errc::wildcard_refused);
  REQUIRE_FALSE(exact.irecv(waybill::value(value), 0, waybill::any_tag, failure).valid());
  REQUIRE(failure == Errc::wildcard_refused);
  REQUIRE_THROWS_AS(exact.iprobe(waybill::any_source), Error);
  talk(exact);
  talk(exact.dup());
  talk(exact.split(0, exact.rank(), {.exact_matching = true}));
}

TEST_CASE("on the ranks of a communicator of the application") {
  Runtime runtime;
  MPI_Comm reversed = MPI_COMM_NULL;
  const int rank = runtime.world().rank();
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  const auto comm = waybill::from_mpi(reversed);
  MPI_Comm_free(&reversed);  // Waybill has a duplicate
  REQUIRE(comm.rank() == runtime.world().size() - 1 - rank);
  talk(comm);
  REQUIRE_FALSE(waybill::from_mpi(MPI_COMM_NULL).valid());
}

TEST_CASE("an application's own messages on MPI_COMM_WORLD are not taken") {
  Runtime runtime;
  const auto world = runtime.world();
  const int next = (world.rank() + 1) % world.size();
  const int previous = (world.rank() + world.size() - 1) % world.size();
  const int mine = 1;
  const int theirs = 2;
  int got_mine = 0;
  int got_theirs = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&theirs, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
  waybill::Work send = world.isend(waybill::value(mine), next);
  world.recv(waybill::value(got_mine), waybill::any_source, waybill::any_tag);
  MPI_Recv(&got_theirs, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  send.wait();
  REQUIRE(got_mine == 1);
  REQUIRE(got_theirs == 2);
}
