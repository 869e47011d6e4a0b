// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The lock that ordinary code and the signal handler share.

#include <sched.h>

#include <atomic>

#include "registry/sole_user.hpp"

namespace waybill::guard {

/// A spin lock that knows whether the calling thread holds it.
///
/// Rules that let a signal handler take it. While it is held no user memory is
/// touched, nothing is allocated from the heap, no other lock is taken and no code
/// of the program runs: the holder always comes to its end. A handler that finds
/// mine() has interrupted its own thread's critical section (its stack may lie on
/// a protected page) and must do without the lock. Handlers run with all
/// asynchronous signals blocked.
class OwnedLock {
 public:
  void lock() noexcept {
    const char* nobody = nullptr;
    // acquire pairs with the release of unlock()
    for (int spins = 0; !owner_.compare_exchange_weak(
             nobody, &registry::this_thread, std::memory_order_acquire, std::memory_order_relaxed);
         nobody = nullptr) {
      if (++spins > spins_before_yield) sched_yield();
    }
  }
  void unlock() noexcept { owner_.store(nullptr, std::memory_order_release); }

  [[nodiscard]] bool mine() const noexcept {
    // relaxed: only this thread writes its own address
    return owner_.load(std::memory_order_relaxed) == &registry::this_thread;
  }

 private:
  static constexpr int spins_before_yield = 200;

  std::atomic<const char*> owner_{nullptr};
};

}  // namespace waybill::guard
