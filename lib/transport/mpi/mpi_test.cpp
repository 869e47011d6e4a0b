// SPDX-License-Identifier: BSD-3-Clause
// How MpiTransport learns that a transfer has ended. One request at a time: where one
// of several has failed, Open MPI 4.1 also frees others whose status holds an error of
// an earlier use, and nobody hears of them again.
#include "transport/mpi/check.hpp"
#include "transport/mpi/collectives.hpp"
#include "transport/mpi/collectives_in_flight.hpp"
#include "transport/mpi/completion_of.hpp"
#include "transport/mpi/mpi_transport.hpp"
#include "transport/mpi/request_word.hpp"
#include "transport/mpi/serial_lock.hpp"

namespace waybill::transport::mpi {

/// A small send has often ended at its post.
Posted MpiTransport::see_whether_ended(MPI_Request handle) noexcept {
  const WorldErrors::Expected expected;
  int ended = 0;
  const int code = MPI_Test(&handle, &ended, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) [[unlikely]]
    return {describe_failure(code, "MPI_Test").release(), {}};
  if (ended != 0) return {};
  return {nullptr, to_request(handle)};
}

namespace {

Outcome end_of_collective(Request& request, Completion& completion) noexcept {
  CollectiveRequest* const collective = CollectiveRequest::of(request);
  const Outcome outcome = test_collective(*collective, completion);
  if (outcome == Outcome::in_flight) return outcome;
  if (is_idle(*collective)) {  // else MPI still uses it
    CollectivesInFlight::remove(collective->channel);
    delete collective;
  }
  request.handle = 0;
  return outcome;
}

}  // namespace

Outcome MpiTransport::test(Request& request, Tested what, Completion& completion) noexcept {
  const Serialized serialized;
  if (what.kind == registry::Kind::collective) [[unlikely]]
    return end_of_collective(request, completion);
  const WorldErrors::Expected expected;
  PersistentReceives::Entry* const entry = persistent_.find(request);
  MPI_Request handle = load(request);
  MPI_Status status;
  int done = 0;
  const bool sends = what.kind == registry::Kind::send;
  const int code = MPI_Test(entry == nullptr ? &handle : &entry->request, &done,
                            sends ? MPI_STATUS_IGNORE : &status);
  if (code == MPI_SUCCESS && done == 0) return Outcome::in_flight;
  store(request, MPI_REQUEST_NULL);
  if (sends && code == MPI_SUCCESS) return Outcome::ended;
  const Outcome outcome = code == MPI_SUCCESS ? received(what, status, completion)
                                              : failed(code, "MPI_Test", what, status, completion);
  if (entry != nullptr) {
    outcome == Outcome::ended ? PersistentReceives::give_back(*entry)
                              : PersistentReceives::end(*entry);
  }
  return outcome;
}

bool MpiTransport::has_ended(const Request& request, registry::Kind kind) noexcept {
  const Serialized serialized;
  if (kind == registry::Kind::collective) {
    return has_collective_ended(*CollectiveRequest::of(request));
  }
  const WorldErrors::Expected expected;
  const PersistentReceives::Entry* const entry = persistent_.find(request);
  int ended = 0;
  MPI_Status status;
  const int code =
      MPI_Request_get_status(entry == nullptr ? load(request) : entry->request, &ended, &status);
  return code != MPI_SUCCESS || ended != 0;
}

Outcome MpiTransport::received(Tested what, const MPI_Status& status,
                               Completion& completion) noexcept {
  if (what.cancel_asked) [[unlikely]] {
    int cancelled = 0;
    MPI_Test_cancelled(&status, &cancelled);
    if (cancelled != 0) return Outcome::cancelled;  // the status means nothing
  }
  fill(completion, status);
  return Outcome::ended;
}

Outcome MpiTransport::failed(int code, const char* routine, Tested what, const MPI_Status& status,
                             Completion& completion) const noexcept {
  completion.failure = describe_failure(code, routine);
  if (what.kind == registry::Kind::send) return Outcome::failed;
  fill(completion, status);
  if (status_tells_message_size_ && completion.failure->code == Errc::truncated) {
    completion.failure->message_bytes = completion.bytes;
  }
  return Outcome::failed;
}

}  // namespace waybill::transport::mpi
