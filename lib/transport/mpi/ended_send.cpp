// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/ended_send.hpp"

#include "transport/mpi/check.hpp"
#include "transport/mpi/library.hpp"

namespace waybill::transport::mpi {

namespace {

/// A tool defines MPI_Isend anew and leaves PMPI_Isend alone (MPI 3.1 section 14.2).
bool is_intercepted() noexcept {
  int (*const outer)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = MPI_Isend;
  int (*const inner)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = PMPI_Isend;
  return outer != inner;
}

}  // namespace

MPI_Request find_ended_send(MPI_Comm self) {
  if (!is_open_mpi() || is_intercepted()) return MPI_REQUEST_NULL;
  MPI_Request receives[2];
  MPI_Request sends[2];
  char in[2] = {};
  const char out[2] = {};
  for (int i = 0; i < 2; ++i) {
    require(MPI_Irecv(&in[i], 1, MPI_BYTE, 0, i, self, &receives[i]), "MPI_Irecv");
  }
  for (int i = 0; i < 2; ++i) {
    require(MPI_Isend(&out[i], 1, MPI_BYTE, 0, i, self, &sends[i]), "MPI_Isend");
  }
  const MPI_Request found = sends[0] == sends[1] ? sends[0] : MPI_REQUEST_NULL;
  require(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE), "MPI_Waitall");
  require(MPI_Waitall(2, receives, MPI_STATUSES_IGNORE), "MPI_Waitall");
  return found;
}

}  // namespace waybill::transport::mpi
