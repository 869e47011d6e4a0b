// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One thread inside a wait: tells the engine that somebody drives progress, and
/// decides what to do between two looks.

#include <chrono>
#include <cstdint>

#include "engine/activity.hpp"
#include "engine/door.hpp"
#include "engine/engine.hpp"

namespace waybill::engine {

/// Spins while there is a core for every waiting thread; gives way where the
/// node has more threads to run than cores; after a long time without news it
/// naps, since a wait of seconds shall not burn a core.
class Waiting {
 public:
  explicit Waiting(Engine& engine) noexcept : engine_(engine), crowded_(engine.always_gives_way()) {
    ThreadActivity::add_one(inside_.record().entered);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() = default;

  /// Whether the deadline has passed; reads the clock now and then only.
  [[nodiscard]] bool over(std::chrono::steady_clock::time_point deadline) const noexcept {
    if (deadline == std::chrono::steady_clock::time_point::max()) [[likely]]
      return false;
    if (looks_ % 8 != 0 && !crowded_) return false;
    return std::chrono::steady_clock::now() >= deadline;
  }

  /// True after every 64th look: time for whatever is not needed at each.
  [[nodiscard]] bool took_stock() const noexcept { return looks_ % 64 == 0; }

  /// After a look: whether it is time to visit the neighbours whose messages these are.
  [[nodiscard]] bool may_visit() const noexcept { return visits_due_; }
  /// Knocks if it computes; at one door each time. Null is nobody.
  void visit(Door* neighbour) noexcept;

  /// After a look that found nothing; may yield or nap, never beyond @p deadline.
  void idle(std::chrono::steady_clock::time_point deadline) noexcept {
    if (++looks_ % 64 == 0 || crowded_) [[unlikely]]
      take_stock(deadline);
  }

 private:
  void plan_visits(std::uint64_t now) noexcept;
  void take_stock(std::chrono::steady_clock::time_point deadline) noexcept;
  [[nodiscard]] bool crowded() const noexcept;

  Engine& engine_;
  const Inside inside_;
  bool crowded_;  // more threads to run than cores
  std::uint64_t looks_ = 0;
  std::uint64_t last_stock_ = 0;  // nanoseconds, 0 before the first
  std::uint64_t quiet_since_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t next_visit_ = 0;
  std::uint64_t next_knock_ = 0;
  bool visits_due_ = false;
  bool knocked_ = false;  // during the visits that are due
};

}  // namespace waybill::engine
