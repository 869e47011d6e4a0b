// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Cores and threads of this process as Linux numbers them. Needs no MPI.

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// Cores in ascending order.
using CoreList = std::vector<int>;

inline constexpr std::size_t most_cores = 1024;
/// One bit per core, so that it may be sent as it is.
using CoreMask = std::array<std::uint64_t, most_cores / 64>;

[[nodiscard]] CoreMask mask_of(const CoreList& cores);
[[nodiscard]] CoreList list_of(const CoreMask& mask);
/// "0-3,8".
[[nodiscard]] std::string text_of(const CoreList& cores);

/// Where a thread may run; 0 is the calling one.
[[nodiscard]] CoreList allowed_cores(pid_t thread = 0);
/// False if the system refuses, as it does where a core is not the job's.
bool allow_cores(const CoreList& cores, pid_t thread = 0);

/// Waybill's background thread in this process, known by its name.
[[nodiscard]] std::optional<pid_t> background_thread();
/// Processor time in seconds: of the process, and of one of its threads.
[[nodiscard]] double process_seconds();
[[nodiscard]] std::optional<double> thread_seconds(pid_t thread);

}  // namespace bench
