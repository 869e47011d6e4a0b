// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How far apart the clocks of two processes are, so that what they wrote down can be
/// put in one order.

#include <mpi.h>

#include <cstdint>

namespace waybill::transport::mpi {

struct ClockOffset {
  std::int64_t nanoseconds = 0;  ///< add it to this process's CLOCK_MONOTONIC for that of rank 0
  std::uint64_t error = 0;       ///< the truth is not further away than this, at that moment
};

/// To rank 0 of @p communicator, by messages to and from each other rank in turn; collective.
///
/// A rank reads its clock, asks, and reads its clock again; the answer, rank 0's clock,
/// was read in between. So the middle is at most half the round trip off. The shortest
/// of 10 round trips counts (Cristian, "Probabilistic clock synchronization", 1989).
[[nodiscard]] ClockOffset measure_clock_offset(MPI_Comm communicator);

/// To rank 0 of MPI_COMM_WORLD, over which it is collective, after a barrier: one rank of
/// each node measures, and the others of the node have the same clock.
[[nodiscard]] ClockOffset clock_offset_to_rank_0();

}  // namespace waybill::transport::mpi
