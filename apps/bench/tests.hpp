// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The tests. Each is collective over all ranks and adds its results to the bench.

#include "bench.hpp"

namespace bench {

void run_latency(Bench& bench, const Entry& entry);
void run_bandwidth(Bench& bench, const Entry& entry);
void run_rate(Bench& bench, const Entry& entry);
void run_overlap(Bench& bench, const Entry& entry);
void run_late_partner(Bench& bench, const Entry& entry);
void run_idle(Bench& bench, const Entry& entry);
void run_pending(Bench& bench, const Entry& entry);
void run_oversubscribed(Bench& bench, const Entry& entry);
void run_registry(Bench& bench, const Entry& entry);

}  // namespace bench
