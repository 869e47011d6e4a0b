// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_channels.hpp"

#include "transport/mpi/check.hpp"
#include "transport/mpi/serial_lock.hpp"

namespace waybill::transport::mpi {

MpiChannels::MpiChannels() {
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

}  // namespace waybill::transport::mpi
