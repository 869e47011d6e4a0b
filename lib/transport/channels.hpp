// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Making and ending channels. All calls are collective over the parent and
/// throw Error if the layer below refuses.

#include <optional>
#include <vector>

#include "transport/transport.hpp"

namespace waybill::transport {

/// A rank of a channel, and the place of its process among those of this node.
struct NodeRank {
  int rank = 0;
  int place = 0;
};

class Channels {
 public:
  Channels() = default;
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;
  virtual ~Channels();

  virtual Channel duplicate(Channel parent) = 0;
  /// nullopt for a rank that gave no color.
  virtual std::optional<Channel> split(Channel parent, std::optional<int> color, int key) = 0;
  virtual void release(Channel channel) noexcept = 0;

  [[nodiscard]] virtual Channel world() const noexcept = 0;
  [[nodiscard]] virtual Channel self() const noexcept = 0;
  [[nodiscard]] virtual int rank(Channel channel) = 0;
  [[nodiscard]] virtual int size(Channel channel) = 0;
  /// Those of its ranks that share memory with this process, itself included.
  [[nodiscard]] virtual std::vector<NodeRank> on_node(Channel channel) = 0;
  /// Its ranks, in order, as ranks of all processes; of an intercommunicator those that
  /// messages go to. Not more than the first most_members.
  static constexpr int most_members = 1024;
  [[nodiscard]] virtual std::vector<int> members(Channel channel) = 0;
  /// Over how many duplicates the tags of a communicator are spread, a power of two.
  [[nodiscard]] virtual std::size_t channels_for_exact_matching() const noexcept = 0;
  [[nodiscard]] virtual int tag_upper_bound() const noexcept = 0;
};

}  // namespace waybill::transport
