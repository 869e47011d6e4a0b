// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The bridge to MPI's own types. The only public header that includes mpi.h.

#include <mpi.h>

#include <cstddef>

#include "waybill/buffer.hpp"
#include "waybill/communicator.hpp"
#include "waybill/config.hpp"

namespace waybill {

/// @p count elements of a committed MPI_Datatype. The type may be freed as soon
/// as the post has returned (MPI 3.1 section 4.1.9). Overlaps are checked on the
/// bytes that the type really touches.
[[nodiscard]] WAYBILL_API SendBuffer send_buffer(const void* address, std::size_t count,
                                                 MPI_Datatype type);
[[nodiscard]] WAYBILL_API RecvBuffer recv_buffer(void* address, std::size_t count,
                                                 MPI_Datatype type);

/// A communicator over the ranks of @p communicator, on a duplicate of its own:
/// collective over it. Of MPI_COMM_NULL, which ranks outside hold: an empty one.
[[nodiscard]] WAYBILL_API Communicator from_mpi(MPI_Comm communicator,
                                                const CommunicatorOptions& options = {});

/// The MPI communicator below. With exact_matching the first of several.
/// It stays Waybill's: do not free it.
[[nodiscard]] WAYBILL_API MPI_Comm native(const Communicator& communicator);

/// Hold one around own MPI calls where MPI gave only MPI_THREAD_SERIALIZED, since
/// Waybill's background thread may be calling; at other levels it does nothing.
/// Not recursive: call no Waybill function while holding it.
class [[nodiscard]] WAYBILL_API MpiLock {
 public:
  MpiLock();
  MpiLock(const MpiLock&) = delete;
  MpiLock& operator=(const MpiLock&) = delete;
  ~MpiLock();
};

}  // namespace waybill
