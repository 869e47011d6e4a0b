// SPDX-License-Identifier: BSD-3-Clause
// The handle of a send is destroyed before anybody waited.
// finding: dropped-handle
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);
  {
    waybill::Work send = world.isend(mine.part(), ring.next, 7);  // <- named
    if (!exercise.mistake) send.wait();
  }
  receive.wait();
}
