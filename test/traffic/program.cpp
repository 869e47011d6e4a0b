// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <chrono>
#include <thread>

namespace traffic {

namespace {

/// Nobody waits for what was detached; the engine ends it.
void wait_for_engine(const waybill::Runtime& runtime) {
  while (runtime.in_flight() > 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

bool leaves_operations(const Mutation* mutation) {
  return mutation != nullptr &&
         (mutation->mistake == Mistake::omit || mutation->mistake == Mistake::forget);
}

}  // namespace

void Program::run(Communicators& communicators, Verdict& verdict, const waybill::Runtime& runtime) {
  communicators.prepare(plan_);
  stage_ = std::make_unique<Stage>(
      Stage{plan_, mutation_, rank_, communicators, memory_, taken_, verdict});
  for (int thread = 0; thread < plan_.threads; ++thread) {
    players_.push_back(std::make_unique<Player>(*stage_, thread));
  }
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < players_.size(); ++i) {
    others.emplace_back([player = players_[i].get()] { player->play(); });
  }
  players_[0]->play();
  for (std::thread& other : others) other.join();
  meet(communicators.control());
  if (!leaves_operations(mutation_)) {
    wait_for_engine(runtime);
    for (const auto& player : players_) player->check_late();
    communicators.release(plan_);
  }
}

}  // namespace traffic
