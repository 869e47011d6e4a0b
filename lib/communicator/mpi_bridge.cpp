// SPDX-License-Identifier: BSD-3-Clause
// The parts of <waybill/mpi.hpp> that concern communicators.
#include "communicator/directory.hpp"
#include "operation/lifecycle.hpp"
#include "transport/mpi/mpi_channels.hpp"
#include "waybill/mpi.hpp"

namespace waybill {

Communicator from_mpi(MPI_Comm communicator, const CommunicatorOptions& options) {
  communicator::Directory* const current = communicator::Directory::current();
  if (!operation::running() || current == nullptr) throw operation::not_running_error("from_mpi");
  if (communicator == MPI_COMM_NULL) return {};
  return CommunicatorAccess::make(
      current->adopt(transport::mpi::pack_channel(communicator), options));
}

MPI_Comm native(const Communicator& communicator) {
  return transport::mpi::unpack_channel(
      CommunicatorAccess::get(communicator, "native").channels[0]);
}

}  // namespace waybill
