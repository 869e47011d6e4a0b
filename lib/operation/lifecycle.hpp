// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Whether calls are possible at all, for the whole process.

#include <atomic>
#include <cstdint>

#include "engine/activity.hpp"
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

/// Where MPI allows calls from one thread only: that one's record, else null. Written
/// before life becomes limited.
extern std::atomic<const engine::ThreadActivity*> only_thread;

// In all, acquire pairs with the release of the Runtime's constructor.
[[nodiscard]] inline bool running() noexcept {
  return life.load(std::memory_order_acquire) >= Life::limited;
}
/// Of a running one: MPI's thread level does not speak against calls of this thread.
[[nodiscard]] inline bool thread_allowed() noexcept {
  const engine::ThreadActivity* const only = only_thread.load(std::memory_order_relaxed);
  return only == nullptr || only == &engine::my_activity();
}
/// Running, and the calling thread may call MPI without a lock of Waybill's.
[[nodiscard]] inline bool may_call_at_once() noexcept {
  const Life now = life.load(std::memory_order_acquire);
  if (now == Life::running) [[likely]]
    return true;
  const engine::ThreadActivity* const mine = engine::my_record;
  return now == Life::limited && mine != nullptr &&
         mine == only_thread.load(std::memory_order_relaxed);
}

/// What is wrong if not running, as an Error of @p routine.
[[nodiscard]] Errc not_running_code() noexcept;
[[nodiscard]] Error not_running_error(const char* routine, const SourceLocation& where = {});

}  // namespace waybill::operation
