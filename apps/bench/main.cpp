// SPDX-License-Identifier: BSD-3-Clause
// waybill-bench: Waybill against raw MPI, in the same processes and in turns. See --help.
#include <fmt/format.h>

#include "command_line.hpp"
#include "compare.hpp"
#include "job.hpp"
#include "launched.hpp"

int main(int argc, char** argv) {
  bench::CommandLine line = bench::parse_command_line(argc, argv);
  if (!line.information.empty()) {
    if (bench::launched_rank().value_or(0) == 0) fmt::print("{}", line.information);
    return 0;
  }
  if (line.refusal.empty() && line.settings.compare && bench::launched_rank()) {
    line.refusal = "compare starts MPI jobs itself: run it without mpirun.";
  }
  const bool compares = line.settings.compare && line.refusal.empty();
  const bench::Outcome outcome =
      compares ? bench::run_compare(argc, argv, line.settings) : bench::run_job(argc, argv, line);
  return static_cast<int>(outcome);
}
