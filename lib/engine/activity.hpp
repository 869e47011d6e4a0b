// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What every thread of the process does with operations, countable by the
/// engine without a shared counter on the path of a message.
///
/// Protocol. Each thread owns one ThreadActivity and is its only writer (plain
/// loads and stores, no read-modify-write); the engine sums over all of them.
/// Counters only grow, so that a record can pass from a thread that ended to a
/// new one. Records live as long as the process.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace waybill::engine {

struct alignas(64) ThreadActivity {
  std::atomic<std::uint64_t> posted{0};
  std::atomic<std::uint64_t> completed{0};
  std::atomic<std::uint64_t> entered{0};  ///< waits begun
  std::atomic<std::uint32_t> inside{0};   ///< 1 while the thread moves messages
  std::atomic<bool> taken{true};
  ThreadActivity* next = nullptr;

  /// By the owner only.
  static void add_one(std::atomic<std::uint64_t>& counter) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
};

/// A sum over all threads, taken while they go on.
struct ActivitySum {
  std::uint64_t posted = 0;
  std::uint64_t completed = 0;
  std::uint64_t entered = 0;
  std::uint32_t inside = 0;

  /// Never too small: completions are read before posts.
  [[nodiscard]] std::uint64_t pending() const noexcept { return posted - completed; }
  /// Changes whenever a thread posts, completes or begins to wait.
  [[nodiscard]] std::uint64_t news() const noexcept { return posted + completed + entered; }
};

/// Free records, which threads that come from now on take first. They must live as
/// long as the process.
void offer_records(std::span<ThreadActivity> fresh) noexcept;

/// The calling thread's record; null before its first call and after its end.
extern constinit thread_local ThreadActivity* my_record;

/// Claims one for the calling thread.
ThreadActivity& claim_activity() noexcept;

/// The calling thread's record; the first call of a thread claims one.
inline ThreadActivity& my_activity() noexcept {
  ThreadActivity* const mine = my_record;
  return mine == nullptr ? claim_activity() : *mine;
}

ActivitySum sum_activity() noexcept;

/// Calls on messages of so many bytes may copy for long, and say so; shorter ones
/// would be over before anybody looked.
inline constexpr std::size_t long_move = 16384;

/// The calling thread moves messages while this exists: it waits, or is in a call
/// on a large message.
class Inside {
 public:
  Inside() noexcept : mine_(my_activity()) { mine_.inside.store(1, std::memory_order_relaxed); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { mine_.inside.store(0, std::memory_order_relaxed); }

  [[nodiscard]] ThreadActivity& record() const noexcept { return mine_; }

 private:
  ThreadActivity& mine_;
};

}  // namespace waybill::engine
