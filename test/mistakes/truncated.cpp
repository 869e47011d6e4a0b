// SPDX-License-Identifier: BSD-3-Clause
// A message is longer than the buffer that receives it.
// finding: truncated
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  const mistakes::Part buffer = exercise.mistake ? theirs.half() : theirs.part();
  waybill::Work receive = world.irecv(buffer, ring.previous, 7);  // <- named
  world.send(mine.part(), ring.next, 7);
  std::error_code failure;  // to go on; without it wait throws
  receive.wait(failure);
}
