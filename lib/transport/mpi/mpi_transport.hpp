// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Point-to-point messages by MPI_Isend, MPI_Irecv and MPI_Test.

#include <mpi.h>

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

  FailurePointer send(const BufferShape& buffer, const Envelope& to,
                      Request& request) noexcept override;
  FailurePointer receive(const BufferShape& buffer, const Envelope& from,
                         Request& request) noexcept override;
  bool test(Request& request, registry::Kind kind, Completion& completion) noexcept override;
  void cancel(Request& request) noexcept override;
  void abandon(Request& request) noexcept override;
  FailurePointer probe(const Envelope& from, bool& found, Completion& message) noexcept override;
  void progress() noexcept override;
  registry::Footprint native_footprint(const BufferShape& buffer) noexcept override;

 private:
  const bool status_tells_message_size_;
  WorldErrors world_errors_;
  StridedTypes strided_;
  MPI_Comm pulse_channel_ = MPI_COMM_NULL;
  MPI_Request pulse_ = MPI_REQUEST_NULL;  // a receive that never matches: testing it is progress
};

}  // namespace waybill::transport::mpi
