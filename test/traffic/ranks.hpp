// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The ranks of MPI_COMM_WORLD, between and beside Runtimes.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace traffic {

struct Ranks {
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  int rank = 0;
  int size = 0;
};

/// Collective. Gives way while it waits: a library may spin, and there may be more ranks than
/// cores.
template <std::size_t N>
std::array<std::uint64_t, N> sum_over_ranks(std::array<std::uint64_t, N> mine) {
  std::array<std::uint64_t, N> sum{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(mine.data(), sum.data(), static_cast<int>(N), MPI_UINT64_T, MPI_SUM,
                 MPI_COMM_WORLD, &request);
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::yield();
  }
  return sum;
}

}  // namespace traffic
