// SPDX-License-Identifier: BSD-3-Clause
// Nobody sends what a receive is for.
// finding: unfinished-at-shutdown
// level: basic
#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Work receive;  // all three outlive the Runtime
  waybill::Options options;
  options.shutdown_timeout = std::chrono::milliseconds(300);
  waybill::Runtime runtime(options);
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  receive = world.irecv(theirs.part(), ring.previous, 7);  // <- named
  if (!exercise.mistake) {
    world.send(mine.part(), ring.next, 7);
    receive.wait();
  }
}
