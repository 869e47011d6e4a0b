// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From posted to complete. All of these are for the operation's owner.

#include <chrono>

#include "operation/operation.hpp"

namespace waybill::operation {

using TimePoint = std::chrono::steady_clock::time_point;
inline constexpr TimePoint never = TimePoint::max();

/// True if the operation is complete. Drives progress. Never blocks.
bool look(Operation& operation) noexcept;

enum class Waited { complete, expired, stopped };

/// Looks until it is complete, the deadline is over, or the Runtime shuts down.
/// Looks at least once.
Waited wait_until(Operation& operation, TimePoint deadline) noexcept;

/// Hands an operation in flight to the engine, which gives its slot back.
void hand_over(Operation& operation) noexcept;

/// Ends a completed operation whose result nobody will ask for any more.
void retire(Operation& operation) noexcept;

/// The operation's bytes are no longer watched.
void unwatch(Operation& operation) noexcept;

/// Status of a completed operation.
Status status_of(const Operation& operation) noexcept;

/// What a completed operation failed with.
std::error_code error_of(const Operation& operation) noexcept;
Error make_error(const Operation& operation);

}  // namespace waybill::operation
