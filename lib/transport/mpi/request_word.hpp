// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// An MPI_Request as the transport's own word.

#include <mpi.h>

#include <cstring>

#include "transport/transport.hpp"

namespace waybill::transport::mpi {

inline MPI_Request load(const Request& request) noexcept {
  static_assert(sizeof(MPI_Request) <= sizeof request.handle);
  MPI_Request handle;
  std::memcpy(&handle, &request.handle, sizeof handle);
  return handle;
}

inline void store(Request& request, MPI_Request handle) noexcept {
  request.handle = 0;  // a handle may be shorter than the word
  std::memcpy(&request.handle, &handle, sizeof handle);
}

inline Request to_request(MPI_Request handle) noexcept {
  Request request;
  store(request, handle);
  return request;
}

}  // namespace waybill::transport::mpi
