// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/check.hpp"

#include <fmt/format.h>

namespace waybill::transport::mpi {

FailurePointer describe_failure(int code, const char* routine) noexcept {
  auto failure = std::make_unique<Failure>();
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  int error_class = MPI_ERR_UNKNOWN;
  if (MPI_Error_class(code, &error_class) != MPI_SUCCESS) error_class = MPI_ERR_UNKNOWN;
  failure->code = error_class == MPI_ERR_TRUNCATE ? Errc::truncated : Errc::transport;
  failure->routine = routine;
  failure->text.assign(text, static_cast<std::size_t>(length));
  for (char& c : failure->text) {
    if (c == '\n') c = ' ';  // a message is one line
  }
  return failure;
}

void require(int code, const char* routine) {
  if (code == MPI_SUCCESS) return;
  const FailurePointer failure = describe_failure(code, routine);
  ErrorDetail detail;
  detail.what = fmt::format("{}: {}", routine, failure->text);
  detail.routine = routine;
  detail.mpi_text = failure->text;
  throw Error(failure->code, std::move(detail));
}

}  // namespace waybill::transport::mpi
