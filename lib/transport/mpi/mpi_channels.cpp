// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_channels.hpp"

#include <algorithm>
#include <numeric>

#include "transport/mpi/check.hpp"
#include "transport/mpi/collectives_in_flight.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/serial_lock.hpp"

namespace waybill::transport::mpi {

namespace {

/// Whom messages reach; the caller frees it.
MPI_Group group_of(MPI_Comm communicator) {
  int has_remote_group = 0;
  require(MPI_Comm_test_inter(communicator, &has_remote_group), "MPI_Comm_test_inter");
  MPI_Group members = MPI_GROUP_NULL;
  // messages of an intercommunicator go to the remote group (MPI 3.1 section 6.6)
  if (has_remote_group != 0) {
    require(MPI_Comm_remote_group(communicator, &members), "MPI_Comm_remote_group");
  } else {
    require(MPI_Comm_group(communicator, &members), "MPI_Comm_group");
  }
  return members;
}

}  // namespace

MpiChannels::MpiChannels(std::vector<int> node) : node_(std::move(node)) {
  world_ = duplicate(pack_channel(MPI_COMM_WORLD));
  self_ = duplicate(pack_channel(MPI_COMM_SELF));
  int* bound = nullptr;
  int found = 0;
  require(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found), "MPI_Comm_get_attr");
  if (found != 0) tag_upper_bound_ = *bound;
}

MpiChannels::~MpiChannels() {
  release(self_);
  release(world_);
}

Channel MpiChannels::duplicate(Channel parent) {
  const Serialized serialized;
  MPI_Comm copy = MPI_COMM_NULL;
  require(MPI_Comm_dup(unpack_channel(parent), &copy), "MPI_Comm_dup");
  require(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return pack_channel(copy);
}

std::optional<Channel> MpiChannels::split(Channel parent, std::optional<int> color, int key) {
  const Serialized serialized;
  MPI_Comm part = MPI_COMM_NULL;
  require(MPI_Comm_split(unpack_channel(parent), color.value_or(MPI_UNDEFINED), key, &part),
          "MPI_Comm_split");
  if (part == MPI_COMM_NULL) return std::nullopt;
  require(MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return pack_channel(part);
}

void MpiChannels::release(Channel channel) noexcept {
  if (CollectivesInFlight::count(channel) != 0) return;  // left at shutdown; MPI still uses it
  const Serialized serialized;
  MPI_Comm communicator = unpack_channel(channel);
  MPI_Comm_free(&communicator);
}

int MpiChannels::rank(Channel channel) {
  int rank = 0;
  require(MPI_Comm_rank(unpack_channel(channel), &rank), "MPI_Comm_rank");
  return rank;
}

int MpiChannels::size(Channel channel) {
  int size = 0;
  require(MPI_Comm_size(unpack_channel(channel), &size), "MPI_Comm_size");
  return size;
}

std::size_t MpiChannels::channels_for_exact_matching() const noexcept {
  // Open MPI walks a list per communicator and peer. MPICH has room for some 2,000
  // communicators in all.
  return is_open_mpi() ? 64 : 16;
}

std::vector<NodeRank> MpiChannels::on_node(Channel channel) {
  const Serialized serialized;
  MPI_Group world = MPI_GROUP_NULL;
  require(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  MPI_Group members = group_of(unpack_channel(channel));
  std::vector<int> ranks(node_.size(), MPI_UNDEFINED);
  require(MPI_Group_translate_ranks(world, static_cast<int>(node_.size()), node_.data(), members,
                                    ranks.data()),
          "MPI_Group_translate_ranks");
  MPI_Group_free(&members);
  MPI_Group_free(&world);
  std::vector<NodeRank> found;
  for (std::size_t place = 0; place < ranks.size(); ++place) {
    if (ranks[place] != MPI_UNDEFINED) found.push_back({ranks[place], static_cast<int>(place)});
  }
  return found;
}

std::vector<int> MpiChannels::members(Channel channel) {
  const Serialized serialized;
  MPI_Group world = MPI_GROUP_NULL;
  require(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  MPI_Group members = group_of(unpack_channel(channel));
  int size = 0;
  require(MPI_Group_size(members, &size), "MPI_Group_size");
  std::vector<int> ranks(static_cast<std::size_t>(std::min(size, most_members)));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> in_world(ranks.size());
  require(MPI_Group_translate_ranks(members, static_cast<int>(ranks.size()), ranks.data(), world,
                                    in_world.data()),
          "MPI_Group_translate_ranks");
  MPI_Group_free(&members);
  MPI_Group_free(&world);
  return in_world;
}

}  // namespace waybill::transport::mpi
