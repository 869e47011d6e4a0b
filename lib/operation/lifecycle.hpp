// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Whether calls are possible at all, for the whole process.

#include <atomic>
#include <cstdint>

#include "waybill/error.hpp"

namespace waybill::operation {

enum class Life : std::uint8_t {
  none,     ///< no Runtime yet
  closing,  ///< shutdown waits for operations; no new ones
  stopped,  ///< after shutdown
  forked,   ///< a child made by fork() while running
  limited,  ///< running, where MPI's thread level asks for care at each call
  running,  ///< running, and any thread may call at any time
};

/// Written by the Runtime's thread and in a forked child.
extern std::atomic<Life> life;

/// Counts Runtimes, so that what belonged to an earlier one is told apart.
extern std::atomic<std::uint32_t> epoch;

// In both, acquire pairs with the release of the Runtime's constructor.
[[nodiscard]] inline bool running() noexcept {
  return life.load(std::memory_order_acquire) >= Life::limited;
}
[[nodiscard]] inline bool any_thread_may_call() noexcept {
  return life.load(std::memory_order_acquire) == Life::running;
}

/// What is wrong if not running, as an Error of @p routine.
[[nodiscard]] Errc not_running_code() noexcept;
[[nodiscard]] Error not_running_error(const char* routine, const SourceLocation& where = {});

}  // namespace waybill::operation
