// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Who makes progress when.
///
/// - A thread that posts has already given its message to the transport.
/// - A thread that waits drives progress itself, by testing its own request
///   (see Waiting). Nothing else runs meanwhile.
/// - The background thread drives progress while something is in flight and
///   nobody has called for a moment: the program computes. With a core of its own
///   it polls. Without one it sleeps, since each look is taken from the
///   computation: a neighbour that waits for this process knocks (see Door), and
///   it looks now and then by itself. With nothing in flight it parks and uses no
///   processor time.
/// - Operations that no waiter will finish are adopted: background thread and
///   waiters step them, in turns of at most `turn` at a time.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/activity.hpp"
#include "engine/door.hpp"
#include "engine/parking.hpp"
#include "transport/transport.hpp"
#include "waybill/options.hpp"

namespace waybill::engine {

struct EngineOptions {
  bool thread = true;  ///< a background thread may call the transport
  Responsiveness responsiveness = Responsiveness::yield;
  WaitMode wait = WaitMode::automatic;
  bool oversubscribed = false;  ///< more processes than cores here
  bool spare_core = true;       ///< the background thread has a core for itself
  bool may_have_core = true;    ///< at times, since others do not use theirs
  Door* door = nullptr;         ///< where neighbours knock; outlives the engine
  bool all_can_knock = false;   ///< no message comes from farther away
  /// What the background thread does now and then besides, at every turn.
  std::function<void()> chore = nullptr;
  unsigned waiters_per_process = 1;  ///< waiting threads that can have a core each
};

/// Something that is stepped until it is done. Belongs to the engine from
/// adopt() until step() has returned true; step() then must not be called again
/// and the object may be gone.
struct Adopted {
  Adopted* next = nullptr;
  bool (*step)(Adopted& self) noexcept = nullptr;
};

class Engine {
 public:
  Engine(transport::Transport& transport, const EngineOptions& options);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();  // stop()

  /// Ends the background thread. Adopted operations stay adopted.
  void stop() noexcept;
  [[nodiscard]] bool has_thread() const noexcept { return thread_.joinable(); }
  [[nodiscard]] const EngineOptions& options() const noexcept { return options_; }
  /// Whether a waiting thread yields after each look from the start.
  [[nodiscard]] bool always_gives_way() const noexcept {
    return options_.wait == WaitMode::yield ||
           (options_.wait == WaitMode::automatic && options_.oversubscribed);
  }

  /// The caller has put an operation in flight, or saw one complete.
  void posted() noexcept {
    ThreadActivity::add_one(my_activity().posted);
    parking_.look_for_sleeper();
  }
  static void completed() noexcept { ThreadActivity::add_one(my_activity().completed); }

  void adopt(Adopted& operation) noexcept;
  /// Steps some adopted operations, unless another thread is at it. True if one
  /// was finished.
  bool assist() noexcept;
  [[nodiscard]] std::size_t adopted() const noexcept {
    return adopted_count_.load(std::memory_order_relaxed);
  }

 private:
  void run() noexcept;
  /// One look at the world by the background thread.
  void turn_once() noexcept;
  /// Whether there are still news.
  bool goes_on() noexcept;
  void linger_or_park(std::uint64_t now) noexcept;
  void drive(std::uint64_t now) noexcept;
  /// @p elapsed: nanoseconds that things have been as they are.
  void nap(std::uint64_t elapsed) noexcept;
  void sleep_announced(std::uint64_t quiet) noexcept;
  /// Drives progress once. True if that may have moved something.
  bool look() noexcept;
  /// A neighbour knocked: looks for as long as something moves.
  void answer() noexcept;
  /// Yields, and learns whether somebody wanted the core.
  void give_way() noexcept;
  void look_for_core() noexcept;

  static constexpr std::size_t turn = 64;

  transport::Transport& transport_;
  const EngineOptions options_;
  Parking::Word own_word_{0};  // where there is no door
  Parking parking_;
  std::atomic<bool> stopping_{false};

  std::mutex adopted_mutex_;  // guards the list; held while stepping
  Adopted* adopted_first_ = nullptr;
  Adopted* adopted_last_ = nullptr;
  std::atomic<std::size_t> adopted_count_{0};  // written under the mutex

  // the background thread's own
  std::uint64_t last_news_ = 0;
  std::uint64_t quiet_since_ = 0;  // nanoseconds
  std::uint64_t called_since_ = 0;
  bool was_called_ = false;  // at the last turn, threads were calling
  const bool yields_tell_;   // see give_way()
  std::uint64_t fastest_look_ = ~std::uint64_t{0} / 4;
  bool has_core_;                 // nobody else wants the core that it runs on
  int yields_against_ = 0;        // that, in a row
  std::uint64_t last_yield_ = 0;  // nanoseconds
  std::uint64_t probe_spacing_ = 0;

  std::thread thread_;
};

/// Whether the calling thread is an engine's.
[[nodiscard]] bool on_background_thread() noexcept;

/// Nanoseconds of the monotonic clock.
std::uint64_t now_ns() noexcept;

}  // namespace waybill::engine
