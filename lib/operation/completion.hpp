// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From posted to complete. All of these are for the operation's owner.

#include <chrono>

#include "operation/context.hpp"
#include "operation/operation.hpp"

namespace waybill::operation {

using TimePoint = std::chrono::steady_clock::time_point;
inline constexpr TimePoint never = TimePoint::max();

/// The operation's bytes are no longer watched.
inline void unwatch(Operation& operation) noexcept {
  if (!operation.watched) return;
  operation.watched = false;
  operation.context->registry.release(operation.record);
}

/// The message of a receive did not simply fill the buffer.
void note_unusual_end(Operation& operation, transport::Outcome outcome) noexcept;

/// The transfer has ended: takes the bytes out of the registry, completes.
inline void finish(Operation& operation, transport::Outcome outcome) noexcept {
  unwatch(operation);
  if (operation.record.kind == registry::Kind::receive &&
      (operation.result.bytes != operation.record.bytes || operation.record.peer == null_rank ||
       outcome != transport::Outcome::ended)) [[unlikely]] {
    note_unusual_end(operation, outcome);
  }
  // release pairs with the acquire of shutdown's look over all operations
  operation.state.store(State::complete, std::memory_order_release);
}

/// True if the operation is complete. Drives progress. Never blocks.
inline bool look(Operation& operation) noexcept {
  if (operation.state.load(std::memory_order_relaxed) == State::complete) return true;
  if (operation.request.ended_at_post()) {
    finish(operation, transport::Outcome::ended);
    return true;
  }
  const transport::Outcome outcome = operation.context->transport.test(
      operation.request, {operation.record.kind, operation.cancel_asked}, operation.result);
  if (outcome == transport::Outcome::in_flight) return false;
  finish(operation, outcome);
  engine::Engine::completed();
  return true;
}

enum class Waited { complete, expired, stopped };

/// Looks until it is complete, the deadline is over, or the Runtime shuts down.
/// Looks at least once.
Waited wait_until(Operation& operation, TimePoint deadline) noexcept;

/// Hands an operation in flight to the engine, which gives its slot back.
void hand_over(Operation& operation) noexcept;

/// Ends a completed operation whose result nobody will ask for any more.
void retire(Operation& operation) noexcept;

/// Status of a completed operation.
Status status_of(const Operation& operation) noexcept;

/// What a completed operation failed with.
[[nodiscard]] inline bool failed(const Operation& operation) noexcept {
  return operation.result.failure != nullptr || operation.cancelled;
}
std::error_code error_of(const Operation& operation) noexcept;
Error make_error(const Operation& operation);

}  // namespace waybill::operation
