// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Point-to-point messages by MPI_Isend, MPI_Irecv and MPI_Test.

#include <mpi.h>

#include <array>

#include "transport/mpi/datatypes.hpp"
#include "transport/mpi/world_errors.hpp"
#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// MPI must be initialised while one exists. Its channels report errors by
/// return code (MPI_ERRORS_RETURN), so that nothing aborts inside MPI.
class MpiTransport final : public Transport {
 public:
  MpiTransport();
  ~MpiTransport() override;

  Failure* send(const BufferShape& buffer, Envelope to, Request& request) noexcept override;
  Failure* receive(const BufferShape& buffer, Envelope from, Request& request) noexcept override;
  Outcome test(Request& request, Tested what, Completion& completion) noexcept override;
  void cancel(Request& request) noexcept override;
  void abandon(Request& request) noexcept override;
  FailurePointer probe(const Envelope& from, bool& found, Completion& message) noexcept override;
  void progress() noexcept override;
  registry::Footprint native_footprint(const BufferShape& buffer) noexcept override;

 private:
  [[nodiscard]] bool is_plain(const BufferShape& buffer, Envelope envelope) const noexcept;
  [[nodiscard]] MPI_Datatype plain_type(const BufferShape& buffer) const noexcept {
    return builtin_types_[static_cast<std::size_t>(buffer.element)];
  }
  Failure* send_unusual(const BufferShape& buffer, Envelope to, Request& request) noexcept;
  Failure* receive_unusual(const BufferShape& buffer, Envelope from, Request& request) noexcept;
  void describe_failed_receive(const MPI_Status& status, Completion& completion) const noexcept;

  const bool status_tells_message_size_;
  std::array<MPI_Datatype, static_cast<std::size_t>(Element::opaque)> builtin_types_{};
  WorldErrors world_errors_;
  StridedTypes strided_;
  MPI_Comm pulse_channel_ = MPI_COMM_NULL;
  MPI_Request pulse_ = MPI_REQUEST_NULL;  // a receive that never matches: testing it is progress
};

}  // namespace waybill::transport::mpi
