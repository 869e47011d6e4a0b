// SPDX-License-Identifier: BSD-3-Clause
// Two receives in flight write the same memory.
// finding: overlapping-buffers
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work works[4];
  works[0] = world.irecv(theirs.part(0), ring.previous, 1);                         // <- other
  works[1] = world.irecv(theirs.part(exercise.mistake ? 0 : 1), ring.previous, 2);  // <- named
  works[2] = world.isend(mine.part(), ring.next, 1);  // two may read the same
  works[3] = world.isend(mine.part(), ring.next, 2);
  waybill::wait_all(works);
}
