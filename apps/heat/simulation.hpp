// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The time steps of one process.

#include "exchange.hpp"
#include "field.hpp"
#include "plan.hpp"
#include "progress.hpp"

namespace heat {

/// Makes all steps of the plan and fills in the times. In most steps the exchange
/// is posted, the interior computed, the exchange waited for, and the rim
/// computed. In some, the interior is computed after the wait: what is gained by
/// overlap is measured against them, in the same run and with the same load.
void run_steps(const Plan& plan, HaloExchange& exchange, Field& field, Progress* progress,
               Measurement& measurement);

}  // namespace heat
