// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Messages by MPI_Isend and MPI_Irecv, collectives, and their end by MPI_Test.

#include <mpi.h>

#include <array>

#include "transport/mpi/collective_request.hpp"
#include "transport/mpi/datatypes.hpp"
#include "transport/mpi/persistent_receives.hpp"
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
  Posted send_plain(const void* address, PlainCount count, int peer, int tag,
                    Channel channel) noexcept override;
  Posted receive_plain(const void* address, PlainCount count, int peer, int tag,
                       Channel channel) noexcept override;
  Failure* collective(const Collective& call, Request& request) noexcept override;
  std::size_t collectives_in_flight(Channel channel) noexcept override;
  Outcome test(Request& request, Tested what, Completion& completion) noexcept override;
  bool has_ended(const Request& request, registry::Kind kind) noexcept override;
  void cancel(Request& request) noexcept override;
  void abandon(Request& request, registry::Kind kind) noexcept override;
  FailurePointer probe(const Envelope& from, bool& found, Completion& message) noexcept override;
  void forget(Channel channel) noexcept override;
  void progress() noexcept override;
  registry::Footprint native_footprint(const BufferShape& buffer) noexcept override;

 private:
  [[nodiscard]] MPI_Datatype type_of(PlainCount count) const noexcept {
    return builtin_types_[static_cast<std::size_t>(count.element())];
  }
  static Posted see_whether_ended(MPI_Request handle) noexcept;
  /// Of receive_plain(): by the request of an entry; with an entry that is not ready
  /// for it; without one.
  static Posted start(PersistentReceives::Entry& entry) noexcept;
  [[gnu::noinline]] Posted receive_anew(PersistentReceives::Entry& entry, const void* address,
                                        PlainCount count, int peer, int tag,
                                        Channel channel) noexcept;
  [[gnu::noinline]] Posted receive_once(const void* address, PlainCount count, int peer, int tag,
                                        Channel channel) noexcept;
  /// A transfer ended well, or did not: how, and what its status tells.
  static Outcome received(Tested what, const MPI_Status& status, Completion& completion) noexcept;
  Outcome failed(int code, const char* routine, Tested what, const MPI_Status& status,
                 Completion& completion) const noexcept;

  const bool status_tells_message_size_;
  std::array<MPI_Datatype, static_cast<std::size_t>(Element::opaque)> builtin_types_{};
  MPI_Request ended_send_ = MPI_REQUEST_NULL;  // see find_ended_send()
  WorldErrors world_errors_;
  PersistentReceives persistent_;
  StridedTypes strided_;
  OwnOperators operators_;
  MPI_Comm pulse_channel_ = MPI_COMM_NULL;
  MPI_Request pulse_ = MPI_REQUEST_NULL;  // a receive that never matches: testing it is progress
};

}  // namespace waybill::transport::mpi
