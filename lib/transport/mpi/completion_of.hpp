// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What an MPI_Status says.

#include <mpi.h>

#include <cstddef>

#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// MPI_Get_elements_x counts basic elements, which for MPI_BYTE are bytes,
/// whatever type the receive named. MPI_Get_count is quicker, but stops at INT_MAX.
[[gnu::noinline]] inline std::size_t size_beyond_int(const MPI_Status& status) noexcept {
  MPI_Count bytes = 0;
  if (MPI_Get_elements_x(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0) return 0;
  return static_cast<std::size_t>(bytes);
}

inline void fill(Completion& completion, const MPI_Status& status) noexcept {
  completion.source = status.MPI_SOURCE;
  completion.tag = status.MPI_TAG;
  int bytes = 0;
  if (MPI_Get_count(&status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes >= 0) [[likely]] {
    completion.bytes = static_cast<std::size_t>(bytes);
  } else {
    completion.bytes = size_beyond_int(status);
  }
}

}  // namespace waybill::transport::mpi
