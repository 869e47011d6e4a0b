// SPDX-License-Identifier: BSD-3-Clause
// Random legal programs, and programs with one known mistake; command_line.cpp says how it is used.
// MPI is started here, so that one launch can have many Runtimes.
#include <mpi.h>

#include <cstdio>

#include "run.hpp"

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 2;
  if (const auto line = traffic::parse(argc, argv); !line || level != MPI_THREAD_MULTIPLE) {
    if (rank == 0) std::fputs(line ? "MPI has no MPI_THREAD_MULTIPLE\n" : traffic::usage, stderr);
  } else if (line->show) {
    if (rank == 0) traffic::show(*line);
    status = 0;
  } else {
    status = (line->mutants ? traffic::run_mutants(*line) : traffic::run_legal(*line)) == 0 ? 0 : 1;
  }
  MPI_Finalize();
  return status;
}
