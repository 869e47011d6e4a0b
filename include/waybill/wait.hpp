// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Waiting for several operations. Empty handles are passed over. Each call
/// drives progress like Work::wait, and each Work keeps its own result.

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "waybill/work.hpp"

namespace waybill {

/// Blocks until all are complete, then throws the first failure, if any.
WAYBILL_API void wait_all(std::span<Work> works);
/// True if all completed before the deadline. The rest goes on untouched.
[[nodiscard]] WAYBILL_API bool wait_all_until(std::span<Work> works,
                                              std::chrono::steady_clock::time_point deadline);

/// Index of one that completed by this call; those that were seen complete
/// earlier are passed over. nullopt when none is left to wait for, as
/// MPI_UNDEFINED in MPI 3.1 section 3.7.5. Throws if that operation failed.
[[nodiscard]] WAYBILL_API std::optional<std::size_t> wait_any(std::span<Work> works);
/// nullopt also when the deadline passed first.
[[nodiscard]] WAYBILL_API std::optional<std::size_t> wait_any_until(
    std::span<Work> works, std::chrono::steady_clock::time_point deadline);

/// Indices of all that completed, at least one; empty when none is left. A
/// failure does not throw here: ask each Work's error().
[[nodiscard]] WAYBILL_API std::vector<std::size_t> wait_some(std::span<Work> works);
/// Empty also when the deadline passed first.
[[nodiscard]] WAYBILL_API std::vector<std::size_t> wait_some_until(
    std::span<Work> works, std::chrono::steady_clock::time_point deadline);

template <class Rep, class Period>
[[nodiscard]] bool wait_all_for(std::span<Work> works, std::chrono::duration<Rep, Period> timeout) {
  return wait_all_until(works, detail::deadline(timeout));
}
template <class Rep, class Period>
[[nodiscard]] std::optional<std::size_t> wait_any_for(std::span<Work> works,
                                                      std::chrono::duration<Rep, Period> timeout) {
  return wait_any_until(works, detail::deadline(timeout));
}
template <class Rep, class Period>
[[nodiscard]] std::vector<std::size_t> wait_some_for(std::span<Work> works,
                                                     std::chrono::duration<Rep, Period> timeout) {
  return wait_some_until(works, detail::deadline(timeout));
}

}  // namespace waybill
