// SPDX-License-Identifier: BSD-3-Clause
// A message comes much later than the receive that waits for it.
// finding: stalled
// level: basic
// environment: WAYBILL_STALL_TIMEOUT=1s (unless asked, nothing counts as stalled)
#include <chrono>
#include <thread>

#include "exercise.hpp"

int main(int argc, char** argv) {
  const mistakes::Exercise exercise = mistakes::exercise(argc, argv);
  mistakes::Memory mine(exercise);
  mistakes::Memory theirs(exercise);
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  const mistakes::Ring ring(world);

  std::thread sender([&] {
    if (exercise.mistake) std::this_thread::sleep_for(std::chrono::seconds(2));
    world.send(mine.part(), ring.next, 7);
  });
  waybill::Work receive = world.irecv(theirs.part(), ring.previous, 7);  // <- named
  receive.wait();
  sender.join();
}
