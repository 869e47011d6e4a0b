// SPDX-License-Identifier: BSD-3-Clause
// One rank fails where the other waits for it: the job must end.
#include <mpi.h>

#include "support/catch.hpp"

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace

TEST_CASE("a rank fails before its peer gets its message") {
  int number = 0;
  if (world_rank() == 1) {
    REQUIRE(number == 17);
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

TEST_CASE("the case after it") { MPI_Barrier(MPI_COMM_WORLD); }
