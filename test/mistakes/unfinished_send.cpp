// SPDX-License-Identifier: BSD-3-Clause
// Nobody receives what is sent.
// finding: unfinished-at-shutdown
// level: basic
// smallest: 65536 (MPI copies a small message, and the send is complete whoever receives it)
// status: any (MPICH 4.0 may not return from MPI_Finalize; Waybill then ends with status 1)
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Work send;  // all three outlive the Runtime
  waybill::Options options;
  options.shutdown_timeout = std::chrono::milliseconds(300);
  waybill::Runtime runtime(options);
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  send = world.isend(mine.part(), ring.next, 7);  // <- named
  if (!exercise.mistake) {
    world.recv(theirs.part(), ring.previous, 7);
    send.wait();
  }
}
