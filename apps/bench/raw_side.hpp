// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Raw MPI with the calls that the measured loops need.

#include <mpi.h>

#include <cstddef>
#include <span>

namespace bench {

/// What users of MPI write, and nothing more. Owns nothing. Has the same members
/// as WaybillSide, so that a measured loop is one template for both. Failures
/// end the job, as is MPI's default.
class RawSide {
 public:
  using Handle = MPI_Request;

  explicit RawSide(MPI_Comm communicator) : communicator_(communicator) {}

  [[nodiscard]] Handle isend(std::span<const std::byte> data, int peer, int tag) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, peer, tag, communicator_,
              &request);
    return request;
  }
  [[nodiscard]] Handle irecv(std::span<std::byte> data, int peer, int tag) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, peer, tag, communicator_,
              &request);
    return request;
  }
  void send(std::span<const std::byte> data, int peer, int tag) const {
    MPI_Send(data.data(), static_cast<int>(data.size()), MPI_BYTE, peer, tag, communicator_);
  }
  void recv(std::span<std::byte> data, int peer, int tag) const {
    MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_BYTE, peer, tag, communicator_,
             MPI_STATUS_IGNORE);
  }
  static void wait(Handle& handle) { MPI_Wait(&handle, MPI_STATUS_IGNORE); }
  static void wait_all(std::span<Handle> handles) {
    MPI_Waitall(static_cast<int>(handles.size()), handles.data(), MPI_STATUSES_IGNORE);
  }
  /// Takes back a receive that nothing matched.
  static void cancel(Handle& handle) {
    MPI_Cancel(&handle);
    wait(handle);
  }

 private:
  MPI_Comm communicator_;
};

}  // namespace bench
