// SPDX-License-Identifier: BSD-3-Clause
// A receive buffer is read before the message is there.
// finding: recv-buffer-touched
// level: guard
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  [[maybe_unused]] volatile double seen = 0;
  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);  // <- named
  if (exercise.mistake) seen = theirs.part().last();
  mistakes::meet(world);  // nobody sends before
  world.send(mine.part(), ring.next, 7);
  receive.wait();
  if (!exercise.mistake) seen = theirs.part().last();
}
