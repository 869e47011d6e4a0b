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

/// The same, where it takes no call; else false, and nothing done.
[[nodiscard, gnu::always_inline]] inline bool unwatch_at_once(Operation& operation) noexcept {
  if (!operation.watched) return true;
  if (!operation.context->registry.release_at_once(operation.record)) return false;
  operation.watched = false;
  return true;
}

/// Opens the pages of the operation's buffer. True if a touch was told.
bool unguard(Operation& operation) noexcept;

/// Of a receive in flight; later looks say whether it was taken back.
void ask_to_cancel(Operation& operation) noexcept;

/// The program gives the handle away: from here on nobody watches the bytes.
void give_up_bytes(Operation& operation) noexcept;

/// The same, of an operation that will never be looked at again, while the transport may still
/// write into memory of Waybill's.
void leave_to_transport(Operation& operation) noexcept;

/// It failed, was cancelled, or the message may not have filled the buffer.
void note_unusual_end(Operation& operation, transport::Outcome outcome) noexcept;

/// The transfer has ended: takes the bytes out of the registry, completes.
[[gnu::always_inline]] inline void finish(Operation& operation,
                                          transport::Outcome outcome) noexcept {
  unwatch(operation);
  if (outcome != transport::Outcome::ended || operation.unusual ||
      (operation.record.kind == registry::Kind::receive &&
       operation.result.bytes != operation.record.bytes)) [[unlikely]] {
    note_unusual_end(operation, outcome);
  }
  // release pairs with the acquire of shutdown's look over all operations
  operation.state.store(State::complete, std::memory_order_release);
}

/// Asks the transport; see look().
bool look_at_transport(Operation& operation) noexcept;

/// True if the operation is complete. Drives progress. Never blocks.
[[gnu::always_inline]] inline bool look(Operation& operation) noexcept {
  if (operation.state.load(std::memory_order_relaxed) == State::complete) return true;
  if (!operation.request.ended_at_post()) return look_at_transport(operation);
  finish(operation, transport::Outcome::ended);
  return true;
}

[[nodiscard]] inline bool is_complete(const Operation& operation) noexcept {
  return operation.state.load(std::memory_order_relaxed) == State::complete;
}

/// A look at it takes no time worth telling anybody.
[[nodiscard]] inline bool is_quick(const Operation& operation) noexcept {
  return operation.record.bytes < engine::long_move;
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
  return operation.unusual && (operation.result.failure != nullptr || operation.cancelled);
}
std::error_code error_of(const Operation& operation) noexcept;
Error make_error(const Operation& operation);
/// Throws that. Where findings are thrown, it stands for the one of a truncated message.
[[noreturn]] void throw_error(const Operation& operation);

}  // namespace waybill::operation
