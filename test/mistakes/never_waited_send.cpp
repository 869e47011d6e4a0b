// SPDX-License-Identifier: BSD-3-Clause
// Nobody waits for a send.
// finding: never-waited
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Work send;  // all three outlive the Runtime
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);
  send = world.isend(mine.part(), ring.next, 7);  // <- named
  receive.wait();
  mistakes::meet(world);  // the send is complete by now
  if (!exercise.mistake) send.wait();
}
