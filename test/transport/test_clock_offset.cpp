// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/clock_offset.hpp"

#include "support/catch.hpp"

using namespace waybill::transport::mpi;

TEST_CASE("on one node the clocks are the same, which the measured offset and its error allow") {
  const ClockOffset offset = measure_clock_offset(MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK((rank == 0) == (offset.error == 0));
  CHECK(offset.nanoseconds <= static_cast<std::int64_t>(offset.error));
  CHECK(-offset.nanoseconds <= static_cast<std::int64_t>(offset.error));
}

TEST_CASE("ranks of the node of rank 0 need not measure") {
  const ClockOffset offset = clock_offset_to_rank_0();
  CHECK(offset.nanoseconds == 0);
  CHECK(offset.error == 0);
}
