// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/world_errors.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "transport/mpi/check.hpp"
#include "transport/mpi/until_read.hpp"

namespace waybill::transport::mpi {

constinit thread_local bool WorldErrors::expected = false;

void WorldErrors::on_error(MPI_Comm* /*communicator*/, int* code, ...) {
  if (expected) return;
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  MPI_Error_string(*code, text, &length);
  const std::string line = fmt::format("fatal MPI error on MPI_COMM_WORLD: {}\n", text);
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  wait_until_read(STDERR_FILENO);
  MPI_Abort(MPI_COMM_WORLD, *code);
}

WorldErrors::WorldErrors() {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  require(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before), "MPI_Comm_get_errhandler");
  const bool fatal = before == MPI_ERRORS_ARE_FATAL;
  MPI_Errhandler_free(&before);
  if (!fatal) return;
  require(MPI_Comm_create_errhandler(on_error, &handler_), "MPI_Comm_create_errhandler");
  require(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_), "MPI_Comm_set_errhandler");
}

WorldErrors::~WorldErrors() {
  if (handler_ == MPI_ERRHANDLER_NULL) return;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler_);
}

}  // namespace waybill::transport::mpi
