// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The whole of a run inside an MPI job.

#include "command_line.hpp"
#include "outcome.hpp"

namespace bench {

/// Starts and ends MPI. The outcome is the same on every rank.
[[nodiscard]] Outcome run_job(int& argc, char**& argv, const CommandLine& line);

}  // namespace bench
