// SPDX-License-Identifier: BSD-3-Clause
// Nobody waits for a receive.
// finding: never-waited
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Work receive;  // all three outlive the Runtime
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  receive = world.irecv(theirs.part(), ring.previous, 7);  // <- named
  world.send(mine.part(), ring.next, 7);
  mistakes::meet(world);  // the receive is complete by now
  if (!exercise.mistake) receive.wait();
}
