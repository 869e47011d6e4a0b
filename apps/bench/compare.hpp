// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Jobs with raw MPI at MPI_THREAD_SINGLE and jobs with Waybill, in turns: for
/// what one process cannot measure, because MPI has one thread level in it.

#include "outcome.hpp"
#include "settings.hpp"

namespace bench {

/// Outside of any MPI job. Prints, and writes what the settings ask for.
[[nodiscard]] Outcome run_compare(int argc, char** argv, const Settings& settings);

}  // namespace bench
