// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/node_memory.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "transport/mpi/mpi_channels.hpp"

using waybill::transport::NodeRank;
using waybill::transport::mpi::MpiChannels;
using waybill::transport::mpi::NodeMemory;
using waybill::transport::mpi::pack_channel;

namespace {

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int size_of(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

}  // namespace

TEST_CASE("each process of a node has a block of zeros that all of them see") {
  const NodeMemory& memory = NodeMemory::of_process(64);
  REQUIRE(memory.processes()[static_cast<std::size_t>(memory.own_place())] ==
          rank_of(MPI_COMM_WORLD));
  if (size_of(MPI_COMM_WORLD) == 1) {
    REQUIRE_FALSE(memory.is_shared());
    REQUIRE_FALSE(memory.reason().empty());
    return;
  }
  REQUIRE(memory.is_shared());
  const auto count = static_cast<int>(memory.processes().size());
  for (int place = 0; place < count; ++place) {
    REQUIRE(std::all_of(memory.block(place), memory.block(place) + 64,
                        [](std::byte byte) { return byte == std::byte{0}; }));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  memory.block(memory.own_place())[63] = static_cast<std::byte>(rank_of(MPI_COMM_WORLD) + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int place = 0; place < count; ++place) {
    const int owner = memory.processes()[static_cast<std::size_t>(place)];
    REQUIRE(memory.block(place)[63] == static_cast<std::byte>(owner + 1));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("it is made once, and its name is gone") {
  REQUIRE(&NodeMemory::of_process(64) == &NodeMemory::of_process(64));
  MPI_Barrier(MPI_COMM_WORLD);
  if (!std::filesystem::exists("/dev/shm")) return;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
    const std::string name = entry.path().filename();
    REQUIRE(name.find("waybill-" + std::to_string(getpid()) + "-") == std::string::npos);
  }
}

TEST_CASE("the ranks of a channel on this node are known by their place there") {
  const NodeMemory& memory = NodeMemory::of_process(64);
  MpiChannels channels(memory.processes());
  const int rank = rank_of(MPI_COMM_WORLD);
  const int size = size_of(MPI_COMM_WORLD);

  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  const std::vector<NodeRank> all = channels.on_node(pack_channel(reversed));
  REQUIRE(all.size() == memory.processes().size());
  for (const NodeRank& at : all) {
    REQUIRE(at.rank == size - 1 - memory.processes()[static_cast<std::size_t>(at.place)]);
  }
  MPI_Comm_free(&reversed);

  const std::vector<NodeRank> alone = channels.on_node(channels.self());
  REQUIRE(alone.size() == 1);
  REQUIRE(alone[0].rank == 0);
  REQUIRE(alone[0].place == memory.own_place());

  if (size < 2) return;
  // Messages of an intercommunicator go to the other group.
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
  for (const NodeRank& at : channels.on_node(pack_channel(between))) {
    const int other = memory.processes()[static_cast<std::size_t>(at.place)];
    REQUIRE(other % 2 != rank % 2);
    REQUIRE(at.rank == other / 2);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}
