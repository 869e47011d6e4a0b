// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Every MPI return code goes through here.

#include <mpi.h>

#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// Null for MPI_SUCCESS, else what MPI says of it.
FailurePointer describe_failure(int code, const char* routine) noexcept;

inline FailurePointer check(int code, const char* routine) noexcept {
  if (code == MPI_SUCCESS) [[likely]]
    return nullptr;
  return describe_failure(code, routine);
}

/// For calls outside the paths of messages: throws Error instead.
void require(int code, const char* routine);

}  // namespace waybill::transport::mpi
