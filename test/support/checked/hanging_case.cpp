// SPDX-License-Identifier: BSD-3-Clause
// A message that never comes: the process must end and name the test case.
#include <mpi.h>

#include "support/catch.hpp"

TEST_CASE("nobody sends") {
  int number = 0;
  MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
