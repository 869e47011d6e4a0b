// SPDX-License-Identifier: BSD-3-Clause
// How MpiTransport learns that a transfer has ended.
#include <array>

#include "transport/mpi/check.hpp"
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

Outcome MpiTransport::test(Request& request, Tested what, Completion& completion) noexcept {
  const Serialized serialized;
  const WorldErrors::Expected expected;
  MPI_Request handle = load(request);
  MPI_Status status;
  int done = 0;
  const bool sends = what.kind == registry::Kind::send;
  const int code = MPI_Test(&handle, &done, sends ? MPI_STATUS_IGNORE : &status);
  if (code == MPI_SUCCESS && done == 0) return Outcome::in_flight;
  store(request, MPI_REQUEST_NULL);
  if (code != MPI_SUCCESS) [[unlikely]]
    return failed(code, "MPI_Test", what, status, completion);
  return sends ? Outcome::ended : received(what, status, completion);
}

void MpiTransport::test_each(std::span<Test> tests) noexcept {
  const Serialized serialized;
  const WorldErrors::Expected expected;
  std::array<MPI_Request, tests_at_once> handles;
  std::array<MPI_Status, tests_at_once> statuses;
  std::array<int, tests_at_once> indices;
  for (std::size_t i = 0; i < tests.size(); ++i) handles[i] = load(*tests[i].request);
  int ended = 0;
  const int code = MPI_Testsome(static_cast<int>(tests.size()), handles.data(), &ended,
                                indices.data(), statuses.data());
  if (ended == MPI_UNDEFINED || (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(ended); ++i) {
    Test& test = tests[static_cast<std::size_t>(indices[i])];
    const MPI_Status& status = statuses[i];
    store(*test.request, MPI_REQUEST_NULL);
    // Only with this code do statuses carry one (MPI 3.1 section 3.7.5).
    if (code == MPI_ERR_IN_STATUS && status.MPI_ERROR != MPI_SUCCESS) [[unlikely]] {
      test.outcome = failed(status.MPI_ERROR, "MPI_Testsome", test.what, status, *test.completion);
    } else if (test.what.kind == registry::Kind::send) {
      test.outcome = Outcome::ended;
    } else {
      test.outcome = received(test.what, status, *test.completion);
    }
  }
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
