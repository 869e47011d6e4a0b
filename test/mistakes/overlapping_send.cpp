// SPDX-License-Identifier: BSD-3-Clause
// A send reads the memory that a receive in flight writes.
// finding: overlapping-buffers
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory memory(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work works[2];
  works[0] = world.irecv(memory.part(0), ring.previous, 7);                     // <- other
  works[1] = world.isend(memory.part(exercise.mistake ? 0 : 1), ring.next, 7);  // <- named
  waybill::wait_all(works);
}
