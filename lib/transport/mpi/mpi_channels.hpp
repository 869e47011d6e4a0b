// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Channels are MPI communicators of Waybill's own.

#include <mpi.h>

#include <cstring>

#include "transport/channels.hpp"

namespace waybill::transport::mpi {

inline Channel pack_channel(MPI_Comm communicator) noexcept {
  static_assert(sizeof communicator <= sizeof(Channel));
  Channel channel = 0;
  std::memcpy(&channel, &communicator, sizeof communicator);
  return channel;
}

inline MPI_Comm unpack_channel(Channel channel) noexcept {
  MPI_Comm communicator;
  std::memcpy(&communicator, &channel, sizeof communicator);
  return communicator;
}

/// Makes the channels of the world and of this process. Collective over MPI_COMM_WORLD.
/// @p node: the processes of this node, as ranks of MPI_COMM_WORLD.
class MpiChannels final : public Channels {
 public:
  explicit MpiChannels(std::vector<int> node);
  ~MpiChannels() override;

  Channel duplicate(Channel parent) override;
  std::optional<Channel> split(Channel parent, std::optional<int> color, int key) override;
  void release(Channel channel) noexcept override;
  [[nodiscard]] Channel world() const noexcept override { return world_; }
  [[nodiscard]] Channel self() const noexcept override { return self_; }
  [[nodiscard]] int rank(Channel channel) override;
  [[nodiscard]] int size(Channel channel) override;
  [[nodiscard]] std::vector<NodeRank> on_node(Channel channel) override;
  [[nodiscard]] std::vector<int> members(Channel channel) override;
  [[nodiscard]] std::size_t channels_for_exact_matching() const noexcept override;
  [[nodiscard]] int tag_upper_bound() const noexcept override { return tag_upper_bound_; }

 private:
  const std::vector<int> node_;
  Channel world_ = 0;
  Channel self_ = 0;
  int tag_upper_bound_ = 32767;
};

}  // namespace waybill::transport::mpi
