// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The nonblocking collectives of MPI 3.1 section 5.12.

#include "transport/mpi/collective_request.hpp"
#include "transport/mpi/datatypes.hpp"
#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// Null; or why MPI refused. Requests that were started before a refusal stay in @p request.
FailurePointer start_collective(const Collective& call, StridedTypes& strided,
                                const OwnOperators& operators, CollectiveRequest& request) noexcept;

/// in_flight; or how it ended, in which case the request can be destroyed, unless one that
/// failed left others in flight.
Outcome test_collective(CollectiveRequest& request, Completion& completion) noexcept;

/// Whether test_collective() would find it over, without ending it.
bool has_collective_ended(const CollectiveRequest& request) noexcept;

/// No transfer of it is in flight.
bool is_idle(const CollectiveRequest& request) noexcept;

}  // namespace waybill::transport::mpi
