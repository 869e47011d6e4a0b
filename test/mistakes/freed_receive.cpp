// SPDX-License-Identifier: BSD-3-Clause
// The memory of a receive, on the heap, is freed before anybody waited.
// finding: buffer-lifetime
// level: content
// preload: libwaybill-lifetime.so (memory that is freed mostly stays where it is)
#include <memory>

#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  auto theirs = std::make_unique<mistakes::Memory>(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  waybill::Work receive = world.irecv(theirs->part(), ring.previous, 7);  // <- named
  waybill::Work send = world.isend(mine.part(), ring.next, 7);
  send.wait();
  mistakes::meet(world);  // MPI does not need the memory any more, but has not said so
  if (exercise.mistake) theirs.reset();
  receive.wait();
}
