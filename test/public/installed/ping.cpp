// SPDX-License-Identifier: BSD-3-Clause
// A program from outside the tree: two ranks send each other a number.
#include <cstdio>
#include <waybill/mpi.hpp>
#include <waybill/waybill.hpp>

int main() {
  waybill::Runtime runtime;
  const waybill::Communicator comm = runtime.world();
  const int rank = comm.rank();
  const int peer = 1 - rank;
  const int mine = 40 + rank;
  int theirs = 0;
  waybill::Work receive = comm.irecv(waybill::value(theirs), peer);
  comm.isend(waybill::send_buffer(&mine, 1, MPI_INT), peer).wait();
  receive.wait();
  runtime.shutdown();
  std::printf("rank %d got %d through waybill %s\n", rank, theirs, WAYBILL_VERSION);
  return theirs == 40 + peer ? 0 : 1;
}
