// SPDX-License-Identifier: BSD-3-Clause
// A send buffer is written before the send is complete.
// finding: send-buffer-modified
// level: content
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);
  waybill::Work send = world.isend(mine.part(), ring.next, 7);  // <- named
  if (exercise.mistake) mine.part().last() = 1;
  send.wait();
  receive.wait();
  if (!exercise.mistake) mine.part().last() = 1;
}
