// SPDX-License-Identifier: BSD-3-Clause
// A receive buffer is written before the message is there.
// finding: recv-buffer-touched
// level: content
// environment: WAYBILL_SHADOW_LIMIT=4MiB (by default only receives of up to 64 KiB are watched)
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);  // <- named
  if (exercise.mistake) theirs.part().last() = 1;
  mistakes::meet(world);  // nobody sends before
  world.send(mine.part(), ring.next, 7);
  receive.wait();
  if (!exercise.mistake) theirs.part().last() = 1;
}
