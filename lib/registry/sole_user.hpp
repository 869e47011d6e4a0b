// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A data structure that one thread uses needs no locks, until a second one comes.

#include <atomic>
#include <mutex>

#include "fence/fence.hpp"

namespace waybill::registry {

/// Says who the calling thread is, by its address.
extern constinit thread_local char this_thread;

/// The right of one thread, the one that makes this object, to do without locks.
/// The first other thread takes it away, for ever: from then on all take locks.
///
/// Protocol. The owner says that it is inside, then looks whether the right is
/// still its own. Who takes it away says so, then waits until the owner is not
/// inside. Both put a fence between their two steps, so that at least one of them
/// sees the other: the owner's, which it passes a million times a second, is the
/// light half of an unequal fence, the other's the heavy half. Where the kernel
/// has none, nobody ever owns the right.
class SoleUser {
 public:
  SoleUser() noexcept : owner_(fence::has_unequal_fence() ? &this_thread : nullptr) {}

  /// True if the caller needs no locks until leave(). If false, nobody is without
  /// locks any more, and leave() is not wanted.
  [[nodiscard]] bool enter() noexcept {
    // acquire pairs with the release of take_away(): everything that was done without
    // locks has been seen by whoever sees that there is no owner
    const char* const owner = owner_.load(std::memory_order_acquire);
    if (owner == &this_thread) [[likely]] {
      inside_.store(true, std::memory_order_relaxed);
      fence::light_fence();
      if (owner_.load(std::memory_order_relaxed) == &this_thread) [[likely]]
        return true;
      leave();
    }
    if (owner != nullptr) take_away();
    return false;
  }

  /// The caller has interrupted itself between enter() and leave(), without locks.
  [[nodiscard]] bool is_inside() const noexcept {
    // relaxed: if it is this thread's, only this thread writes both
    return owner_.load(std::memory_order_relaxed) == &this_thread &&
           inside_.load(std::memory_order_relaxed);
  }

  /// release pairs with the acquire of take_away(), which sees all that was done.
  void leave() noexcept { inside_.store(false, std::memory_order_release); }

 private:
  [[gnu::noinline]] void take_away() noexcept;

  std::atomic<const char*> owner_;  // null: nobody; &taking: somebody takes it away just now
  std::atomic<bool> inside_{false};
  std::mutex taking_;

  static constexpr char taking = 0;
};

/// One use, for a scope.
class Use {
 public:
  explicit Use(SoleUser& user) noexcept : user_(user), alone_(user.enter()) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    if (alone_) user_.leave();
  }
  /// Needs no locks.
  [[nodiscard]] bool alone() const noexcept { return alone_; }

 private:
  SoleUser& user_;
  const bool alone_;
};

}  // namespace waybill::registry
