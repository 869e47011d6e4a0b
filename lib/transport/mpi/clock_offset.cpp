// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/clock_offset.hpp"

#include <time.h>

#include <array>

#include "transport/mpi/check.hpp"

namespace waybill::transport::mpi {

namespace {

constexpr int rounds = 10;

std::int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void answer(MPI_Comm communicator, int rank) {
  for (int round = 0; round < rounds; ++round) {
    require(MPI_Recv(nullptr, 0, MPI_INT64_T, rank, 0, communicator, MPI_STATUS_IGNORE),
            "MPI_Recv");
    const std::int64_t now = now_ns();
    require(MPI_Send(&now, 1, MPI_INT64_T, rank, 0, communicator), "MPI_Send");
  }
}

ClockOffset ask(MPI_Comm communicator) {
  ClockOffset best;
  for (int round = 0; round < rounds; ++round) {
    std::int64_t there = 0;
    const std::int64_t before = now_ns();
    require(MPI_Send(nullptr, 0, MPI_INT64_T, 0, 0, communicator), "MPI_Send");
    require(MPI_Recv(&there, 1, MPI_INT64_T, 0, 0, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
    const std::int64_t after = now_ns();
    const auto error = static_cast<std::uint64_t>((after - before + 1) / 2);
    if (round == 0 || error < best.error) best = {there - (before + (after - before) / 2), error};
  }
  return best;
}

}  // namespace

ClockOffset measure_clock_offset(MPI_Comm communicator) {
  int rank = 0;
  int size = 1;
  require(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  require(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  if (rank != 0) return ask(communicator);
  for (int other = 1; other < size; ++other) answer(communicator, other);
  return {};
}

ClockOffset clock_offset_to_rank_0() {
  require(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  MPI_Comm node = MPI_COMM_NULL;
  require(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
          "MPI_Comm_split_type");
  int rank_on_node = 0;
  require(MPI_Comm_rank(node, &rank_on_node), "MPI_Comm_rank");
  // keys are equal, so ranks keep their order: rank 0 leads its node, and the leaders
  MPI_Comm leaders = MPI_COMM_NULL;
  require(MPI_Comm_split(MPI_COMM_WORLD, rank_on_node == 0 ? 0 : MPI_UNDEFINED, 0, &leaders),
          "MPI_Comm_split");
  std::array<std::int64_t, 2> offset{};
  if (leaders != MPI_COMM_NULL) {
    const ClockOffset measured = measure_clock_offset(leaders);
    offset = {measured.nanoseconds, static_cast<std::int64_t>(measured.error)};
    MPI_Comm_free(&leaders);
  }
  require(MPI_Bcast(offset.data(), 2, MPI_INT64_T, 0, node), "MPI_Bcast");
  MPI_Comm_free(&node);
  return {offset[0], static_cast<std::uint64_t>(offset[1])};
}

}  // namespace waybill::transport::mpi
