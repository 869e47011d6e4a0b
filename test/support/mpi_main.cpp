// SPDX-License-Identifier: BSD-3-Clause
// The main of launched tests. MPI is started here, so that test cases may make
// one Runtime after the other.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "support/catch_session.hpp"
#include "support/held_output.hpp"
#include "transport/mpi/until_read.hpp"

namespace {

void abort_job(test_support::HeldOutput& output) {
  output.show();
  waybill::transport::mpi::wait_until_read(STDERR_FILENO);
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised == 0) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  test_support::HeldOutput output(rank);
  test_support::SessionHooks hooks;
  hooks.after_failure = [&output] { abort_job(output); };
  hooks.before_hang_exit = [&output] { output.show(); };
  const int status = test_support::run_session(argc, argv, hooks);
  if (status != EXIT_SUCCESS) abort_job(output);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
