// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// All communicators of one Runtime.

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "communicator/call_order.hpp"
#include "operation/context.hpp"
#include "transport/channels.hpp"
#include "waybill/communicator.hpp"

namespace waybill {

namespace communicator {
class Directory;
}

/// How posts on a communicator go.
enum class Way : std::uint8_t {
  plain,     ///< by the shortest path
  thorough,  ///< see operation::Context
  closed,    ///< not at all: it was freed, or its Runtime was shut down
};

class CommunicatorState {
 public:
  operation::Context* context = nullptr;
  communicator::Directory* directory = nullptr;
  /// One, or with exact_matching a power of two, over which tags are spread.
  std::vector<transport::Channel> channels;
  const char* name = "";    // lives as long as the process
  std::uint32_t epoch = 0;  // of its Runtime
  int rank = 0;
  int size = 1;
  int tag_upper_bound = 0;
  bool exact_matching = false;
  bool permanent = false;  // the world and self
  std::atomic<Way> way{Way::plain};
  communicator::CallOrder order;
  /// For ranks that compare their collective calls, where there are several.
  std::optional<transport::Channel> control;
  /// Number of the last call that was compared, by whoever steps adopted objects.
  std::atomic<int> compared{0};

  void close() noexcept { way.store(Way::closed, std::memory_order_release); }
  // acquire pairs with close()
  [[nodiscard]] bool closed() const noexcept {
    return way.load(std::memory_order_acquire) == Way::closed;
  }

  /// Messages that can match each other always travel on the same channel, so
  /// that their order is kept.
  [[nodiscard]] transport::Channel channel_for(int tag) const noexcept {
    if (!exact_matching) [[likely]]
      return channels[0];
    const auto mixed = static_cast<std::uint32_t>(tag) * 0x9E3779B9U;
    return channels[(mixed >> 16) & (channels.size() - 1)];
  }
};

namespace communicator {

/// Collective calls must come in the same order on all ranks, as MPI's do.
class Directory {
 public:
  /// @p common is what all communicators share; @p doors those of the node's
  /// processes, by their place on the node, or none.
  Directory(const operation::Context& common, transport::Channels& channels,
            std::vector<engine::Door*> doors = {});
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory();  // frees every communicator, in the order they were made

  /// The one of the running Runtime, or null.
  static Directory* current() noexcept;

  [[nodiscard]] std::shared_ptr<CommunicatorState> world() const { return world_; }
  [[nodiscard]] std::shared_ptr<CommunicatorState> self() const { return self_; }

  std::shared_ptr<CommunicatorState> duplicate(const CommunicatorState& parent,
                                               const CommunicatorOptions& options);
  /// Over the ranks of a channel that is not Waybill's own.
  std::shared_ptr<CommunicatorState> adopt(transport::Channel foreign,
                                           const CommunicatorOptions& options);
  std::shared_ptr<CommunicatorState> split(const CommunicatorState& parent,
                                           std::optional<int> color, int key,
                                           const CommunicatorOptions& options);
  void release(CommunicatorState& state) noexcept;

 private:
  /// Collective: whether no rank has collectives in flight on it.
  bool all_ended(CommunicatorState& state) noexcept;
  std::shared_ptr<CommunicatorState> admit(transport::Channel channel, const std::string& name,
                                           const CommunicatorOptions& options);

  const operation::Context& common_;
  transport::Channels& channels_;
  const std::vector<engine::Door*> doors_;
  std::mutex mutex_;
  std::deque<operation::Context> contexts_;  // of all ever made: operations outlive a communicator
  std::vector<std::shared_ptr<CommunicatorState>> all_;
  std::vector<transport::Channel> freed_later_;  // of communicators that are no more
  std::shared_ptr<CommunicatorState> world_;
  std::shared_ptr<CommunicatorState> self_;
};

}  // namespace communicator

class CommunicatorAccess {
 public:
  static Communicator make(std::shared_ptr<CommunicatorState> state) {
    return Communicator(std::move(state));
  }
  /// The state of a usable communicator; throws Error of @p routine.
  static CommunicatorState& get(const Communicator& communicator, const char* routine);
};

}  // namespace waybill
