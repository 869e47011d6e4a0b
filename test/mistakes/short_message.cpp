// SPDX-License-Identifier: BSD-3-Clause
// A message is shorter than the buffer, and nobody asks for its size.
// finding: short-message
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);  // <- named
  world.send(exercise.mistake ? mine.half() : mine.part(), ring.next, 7);
  receive.wait();
}
