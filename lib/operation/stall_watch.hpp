// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How long operations have been in flight: reports those that stall.
///
/// An operation may be over although nobody looked yet, which is no stall. Only its owner
/// may test a request; so, while there is a StallWatch, owners hold the operation's lock
/// around what they do with a request, and the watch holds it while it peeks. Locks are taken
/// in the order table, operation.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "operation/operation.hpp"
#include "registry/registry.hpp"

namespace waybill::operation {

class StallWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// @p stalled, if set, is called after reports, without a lock.
  StallWatch(registry::Registry& registry, std::chrono::milliseconds timeout,
             std::function<void()> stalled = nullptr);

  /// It is in flight. Without memory it is not watched.
  void posted(const Operation& operation) noexcept;
  /// It is not any more; ended well if @p well, and then counts as the last that its peer
  /// completed with this process.
  void ended(const Operation& operation, bool well) noexcept;

  /// Reports what has been in flight for longer than the time-out, each once. Any thread
  /// that may call the transport, at any time; does something at most eight times per
  /// time-out.
  void look_if_due() noexcept;

  /// To be held while the operation's request is used.
  [[nodiscard]] std::mutex& lock_of(const Operation& operation) noexcept {
    return locks_[reinterpret_cast<std::uintptr_t>(&operation) / sizeof(Operation) % locks_.size()];
  }

 private:
  struct Pending {
    Clock::time_point since;
    bool told = false;
  };
  using Peer = std::pair<const Context*, int>;
  struct Last {
    registry::Record record;
    Clock::time_point at;
  };
  static constexpr std::size_t most_peers = 65'536;

  /// Operations that are reported now, as they were.
  struct Stalled {
    registry::Record record;
    registry::Stall stall;
  };
  /// By sequence number, so that what was posted first is told first.
  std::map<std::uint64_t, Stalled> find_stalled(Clock::time_point now);
  bool over(const Operation& operation) noexcept;
  registry::Stall describe(const Operation& operation, const Pending& pending,
                           Clock::time_point now) const;

  registry::Registry& registry_;
  const std::chrono::milliseconds timeout_;
  const std::function<void()> stalled_;
  std::array<std::mutex, 64> locks_;
  std::atomic<Clock::rep> next_look_;  // relaxed: who reads an old value looks once too often

  std::mutex table_;  // guards what follows
  std::unordered_map<const Operation*, Pending> pending_;
  std::map<Peer, std::unique_ptr<const Last>> last_;
};

}  // namespace waybill::operation
