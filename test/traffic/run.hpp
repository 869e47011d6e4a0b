// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Runs plans one after the other, on all ranks of MPI_COMM_WORLD.

#include "command_line.hpp"

namespace traffic {

/// Both return how many went wrong, the same on all ranks, and say so on rank 0.
std::uint64_t run_legal(const CommandLine& line);
std::uint64_t run_mutants(const CommandLine& line);

void show(const CommandLine& line);

}  // namespace traffic
