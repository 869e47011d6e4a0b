// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a process shows to the others on its node, and where they knock.
///
/// A message that needs its receiver's processor waits until the receiver calls
/// MPI, which a program that computes does not. The background thread could look
/// now and then, but where it has no core of its own each look is taken from the
/// computation, by an interrupt that costs more than the look. So it sleeps, and
/// whoever waits for this process wakes it, once: one interrupt per late message
/// and none without.
///
/// Protocol. The word belongs to Parking: the background thread opens the door for
/// the length of a nap and closes it after. A waiting thread of another process
/// knocks if the door is open, something is in flight here and no thread here is
/// Inside, since then none calls MPI for long. It takes the flag away,
/// so that one knock is one wake-up, and wakes. A knock can come a moment too
/// early, before the door opens; so waiting threads look again, at growing
/// intervals. Nothing is lost by a knock too many or by one that fails: naps end
/// by themselves.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/activity.hpp"

namespace waybill::engine {

/// Lies in memory that processes share: no pointer in it is followed by another.
struct Door {
  /// As many of the process's threads are seen; those that call first.
  static constexpr std::size_t threads_seen = 15;

  alignas(64) std::atomic<std::uint32_t> word{0};
  std::array<ThreadActivity, threads_seen> threads;

  /// Operations are in flight and no thread is Inside.
  [[nodiscard]] bool computes() const noexcept;
  /// From another process: wakes the background thread if that can help. True if so.
  bool knock() noexcept;
};

/// The doors of a communicator's ranks on this node.
class Neighbours {
 public:
  void add(int rank, Door& door) { doors_.emplace_back(rank, &door); }
  /// Null for a rank on another node, for one without a door and for any_source.
  [[nodiscard]] Door* of(int rank) const noexcept;

 private:
  std::vector<std::pair<int, Door*>> doors_;
};

}  // namespace waybill::engine
