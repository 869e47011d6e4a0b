// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One report from the JSON of many jobs. Needs no MPI.

#include <string>
#include <vector>

#include "report.hpp"

namespace bench {

/// The JSON of as many jobs of each kind: raw_jobs[i] ran next to waybill_jobs[i].
/// A sample of the outcome is a job's median, and a round is a pair of jobs.
/// Machine, MPI and settings are those of the Waybill jobs. Throws
/// std::runtime_error if a document is not what waybill-bench writes.
[[nodiscard]] Report merge(const std::vector<std::string>& raw_jobs,
                           const std::vector<std::string>& waybill_jobs);

}  // namespace bench
