// SPDX-License-Identifier: BSD-3-Clause
// The memory of a receive, on the heap, is freed before anybody waited.
// finding: buffer-lifetime
// level: content
// preload: libwaybill-lifetime.so (memory that is freed mostly stays where it is)
// environment: WAYBILL_SHADOW_LIMIT=4MiB (larger receives are found too, but MPI may write where
// nothing is)
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
  if (exercise.mistake) theirs.reset();
  waybill::Work send = world.isend(mine.part(), ring.next, 7);
  send.wait();
  receive.wait();
}
