// SPDX-License-Identifier: BSD-3-Clause
#include "engine/door.hpp"

#include "engine/parking.hpp"

namespace waybill::engine {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a lock would not be shared");

bool Door::computes() const noexcept {
  std::uint64_t completed = 0;
  std::uint64_t posted = 0;
  for (const ThreadActivity& thread : threads) {
    if (thread.inside.load(std::memory_order_relaxed) != 0) return false;
    completed += thread.completed.load(std::memory_order_relaxed);
    posted += thread.posted.load(std::memory_order_relaxed);
  }
  return posted != completed;
}

bool Door::knock() noexcept { return Parking::is_open(word) && computes() && Parking::knock(word); }

Door* Neighbours::of(int rank) const noexcept {
  for (const auto& [at, door] : doors_) {
    if (at == rank) return door;
  }
  return nullptr;
}

}  // namespace waybill::engine
