// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The request that stands for every send which ended at its post.

#include <mpi.h>

namespace waybill::transport::mpi {

/// Open MPI is done with most small sends inside MPI_Isend and then returns one
/// and the same request for all of them, which it never allocated: whoever knows
/// that request need not test it. This finds it by experiment, on a communicator of
/// this process alone where nothing is in flight: of two sends that nobody has tested, each must
/// have a request of its own, or else both have ended.
///
/// MPI_REQUEST_NULL, which MPI_Isend never returns, if there is no such request;
/// in other libraries, which may count how often they handed theirs out; and under
/// a tool that intercepts MPI calls, which would miss the end of the send.
[[nodiscard]] MPI_Request find_ended_send(MPI_Comm self);

}  // namespace waybill::transport::mpi
