// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The lock of 64 neighbouring buckets of the byte index.

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace waybill::registry {

/// A spin lock and the number of links in its buckets, in one word, so that
/// taking the lock for an insertion also announces it. On a cache line of its own.
class alignas(64) Stripe {
 public:
  /// For a thread that needs no lock: counts links.
  void add(std::uint32_t links) noexcept {
    word_.store(word_.load(std::memory_order_relaxed) + links * one_link,
                std::memory_order_relaxed);
  }
  void remove(std::uint32_t links) noexcept {
    word_.store(word_.load(std::memory_order_relaxed) - links * one_link,
                std::memory_order_relaxed);
  }

  /// Takes the lock and counts @p added links in at once. Returns what unlock() wants.
  ///
  /// Sequentially consistent, and pairs with empty() in other threads: of two
  /// threads that each lock a stripe to add a link and then ask the other's
  /// stripe whether it is empty, at least one hears "no".
  [[nodiscard]] std::uint32_t lock(std::uint32_t added) noexcept {
    while (true) {
      std::uint32_t word = word_.load(std::memory_order_relaxed) & ~locked;
      if (word_.compare_exchange_weak(word, word + locked + added * one_link,
                                      std::memory_order_seq_cst, std::memory_order_relaxed))
          [[likely]] {
        return word + added * one_link;
      }
      wait();
    }
  }

  /// Release: pairs with the next lock(), which sees what was linked and unlinked.
  void unlock(std::uint32_t word, std::uint32_t removed) noexcept {
    word_.store(word - removed * one_link, std::memory_order_release);
  }

  /// For who may have interrupted the holder, or was forked while there was one: false if
  /// it still looks locked after a while.
  [[nodiscard]] bool comes_free() const noexcept {
    for (int spins = 0; (word_.load(std::memory_order_relaxed) & locked) != 0; ++spins) {
      if (spins >= most_spins) return false;
      if (spins >= spins_before_yield) sched_yield();
    }
    return true;
  }

  /// Needs no lock; see lock().
  [[nodiscard]] bool empty() const noexcept {
    return word_.load(std::memory_order_seq_cst) < one_link;
  }

 private:
  static constexpr std::uint32_t locked = 1;
  static constexpr std::uint32_t one_link = 2;
  static constexpr int spins_before_yield = 200;
  static constexpr int most_spins = 2000;

  /// Until it looks unlocked. The holder may have lost its core: yields after a while.
  [[gnu::noinline]] void wait() const noexcept {
    for (int spins = 0; (word_.load(std::memory_order_relaxed) & locked) != 0; ++spins) {
      if (spins >= spins_before_yield) sched_yield();
    }
  }

  std::atomic<std::uint32_t> word_{0};
};

/// Holds a stripe for a scope, in which so many links are added and removed; only
/// counts them where there is nobody else.
class StripeLock {
 public:
  StripeLock(Stripe& stripe, bool alone, std::uint32_t added, std::uint32_t removed) noexcept
      : stripe_(stripe), alone_(alone), word_(alone ? 0 : stripe.lock(added)), removed_(removed) {
    if (alone) stripe.add(added);
  }
  StripeLock(const StripeLock&) = delete;
  StripeLock& operator=(const StripeLock&) = delete;
  ~StripeLock() {
    if (alone_) stripe_.remove(removed_);
    else stripe_.unlock(word_, removed_);
  }
  /// What was to be added was not.
  void add_none(std::uint32_t added) noexcept { removed_ += added; }

 private:
  Stripe& stripe_;
  const bool alone_;
  const std::uint32_t word_;
  std::uint32_t removed_;
};

}  // namespace waybill::registry
