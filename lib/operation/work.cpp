// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/work.hpp"

#include <exception>

#include "operation/calling_frame.hpp"
#include "operation/completion.hpp"
#include "operation/context.hpp"
#include "operation/finding_error.hpp"
#include "operation/flight.hpp"
#include "operation/handle.hpp"
#include "operation/lifecycle.hpp"
#include "operation/slab.hpp"

namespace waybill {

namespace {

using operation::CallingFrame;
using operation::Waited;

Error handle_error(Errc code, const char* routine, const char* what) {
  ErrorDetail detail;
  detail.routine = routine;
  detail.what = std::string(routine) + ": " + what;
  return Error(code, std::move(detail));
}

/// Throws what a completed operation failed with, or what was found.
void throw_if_failed(const Operation& operation, const char* routine) {
  if (!operation.unusual) [[likely]]
    return;
  if (operation::failed(operation)) operation::throw_error(operation);
  operation::throw_finding(*operation.context, routine);
}

/// The end of a handle that was dropped too early, or of an operation that failed,
/// was short or owns something.
[[gnu::noinline]] void end_unusual(Operation& operation) noexcept {
  const CallingFrame frame(__builtin_frame_address(0));
  if (operation.waited) {
    operation::retire(operation);
    return;
  }
  const operation::Context& context = *operation.context;
  operation.dropped = true;
  operation::note(operation, recorder::EventKind::drop);
  const bool complete = operation::thread_allowed() && operation::look(operation);
  if (context.check) {
    context.registry.dropped(operation.record, complete, std::uncaught_exceptions() > 0);
  }
  if (complete) {
    operation::retire(operation);
    return;
  }
  operation::give_up_bytes(operation);
  operation::hand_over(operation);
}

bool finished(Operation& operation, Waited waited) noexcept {
  if (waited != Waited::complete) return false;
  operation.waited = true;
  return true;
}

/// test() found it complete, perhaps not for the first time.
void see_tested(Operation& operation) noexcept {
  if (operation.unusual && !operation.waited) {
    operation::note(operation, recorder::EventKind::waited);
  }
  operation.waited = true;
}

void wait_to_end(Operation& operation) {
  if (!finished(operation, operation::wait_until(operation, operation::never))) {
    throw operation::not_running_error("wait");
  }
  throw_if_failed(operation, "wait");
}

/// @p end_of_frame is where the frame of wait() ends and its caller's begins: wait() can have a
/// large frame of its own, in which a buffer of a function that returned would lie.
[[gnu::noinline]] void wait_unusual(Operation& operation, const void* end_of_frame) {
  const CallingFrame frame(end_of_frame);
  wait_to_end(operation);
}

[[gnu::noinline]] void wait_with_care(const Work& work, const void* end_of_frame) {
  const CallingFrame frame(end_of_frame);
  wait_to_end(WorkAccess::get(work, "wait"));
}

[[gnu::noinline]] void wait_in_flight(Operation& operation) {
  if (operation::is_quick(operation) && operation::look(operation) && !operation.unusual)
      [[likely]] {
    operation.waited = true;
    return;
  }
  wait_to_end(operation);
}

}  // namespace

Operation* WorkAccess::find(const Work& work, std::error_code& failure) noexcept {
  if (Operation* const operation = usual(work); operation != nullptr) [[likely]] {
    return operation;
  }
  if (work.operation_ == nullptr) {
    failure = Errc::empty_handle;
  } else if (!is_live(work)) {
    failure = operation::not_running_code();
  } else if (!operation::thread_allowed()) {
    failure = Errc::wrong_thread;
  } else {
    return work.operation_;
  }
  return nullptr;
}

Operation& WorkAccess::get(const Work& work, const char* routine) {
  std::error_code failure;
  if (Operation* operation = find(work, failure); operation != nullptr) [[likely]] {
    return *operation;
  }
  if (failure == Errc::empty_handle) {
    throw handle_error(
        Errc::empty_handle, routine,
        "the handle is empty: it was moved from, detached, taken, never filled or never "
        "started");
  }
  if (failure == Errc::wrong_thread) {
    throw handle_error(Errc::wrong_thread, routine,
                       "MPI was initialised for calls from the main thread only; start it with "
                       "MPI_THREAD_MULTIPLE");
  }
  throw operation::not_running_error(routine);
}

void Work::wait() {
  Operation* const usual = WorkAccess::usual(*this);
  if (usual == nullptr) [[unlikely]]
    return wait_with_care(*this, __builtin_dwarf_cfa());
  if (usual->unusual) [[unlikely]]
    return wait_unusual(*usual, __builtin_dwarf_cfa());
  if (!operation::is_complete(*usual)) {
    // What a send that ended at its post still has to do, or the way around by a call.
    if (!usual->request.ended_at_post() || !operation::unwatch_at_once(*usual)) {
      return wait_in_flight(*usual);
    }
    usual->state.store(operation::State::complete, std::memory_order_release);
  }
  usual->waited = true;
}

void Work::wait(std::error_code& failure) noexcept {
  static_cast<void>(wait_until(operation::never, failure));
}

bool Work::wait_until(std::chrono::steady_clock::time_point deadline) {
  const CallingFrame frame(__builtin_frame_address(0));
  Operation& operation = WorkAccess::get(*this, "wait_until");
  const Waited waited = operation::wait_until(operation, deadline);
  if (waited == Waited::stopped) throw operation::not_running_error("wait_until");
  if (!finished(operation, waited)) {
    operation::throw_finding(*operation.context, "wait_until");
    return false;
  }
  throw_if_failed(operation, "wait_until");
  return true;
}

bool Work::wait_until(std::chrono::steady_clock::time_point deadline,
                      std::error_code& failure) noexcept {
  const CallingFrame frame(__builtin_frame_address(0));
  failure.clear();
  Operation* const operation = WorkAccess::find(*this, failure);
  if (operation == nullptr) return false;
  const Waited waited = operation::wait_until(*operation, deadline);
  if (waited == Waited::stopped) failure = operation::not_running_code();
  if (!finished(*operation, waited)) return false;
  failure = operation::error_of(*operation);
  return true;
}

bool Work::test() {
  const CallingFrame frame(__builtin_frame_address(0));
  Operation& operation = WorkAccess::get(*this, "test");
  if (!operation::look(operation)) {
    operation::throw_finding(*operation.context, "test");
    return false;
  }
  see_tested(operation);
  throw_if_failed(operation, "test");
  return true;
}

bool Work::test(std::error_code& failure) noexcept {
  const CallingFrame frame(__builtin_frame_address(0));
  failure.clear();
  Operation* const operation = WorkAccess::find(*this, failure);
  if (operation == nullptr || !operation::look(*operation)) return false;
  see_tested(*operation);
  failure = operation::error_of(*operation);
  return true;
}

Status Work::status() const {
  Operation& operation = WorkAccess::get(*this, "status");
  if (operation.state.load(std::memory_order_relaxed) != operation::State::complete ||
      !operation.waited) {
    throw handle_error(Errc::not_complete, "status",
                       "the operation was not seen complete; wait() or test() first");
  }
  throw_if_failed(operation, "status");
  operation.is_short = false;  // somebody asked
  return operation::status_of(operation);
}

std::error_code Work::error() const noexcept {
  std::error_code failure;
  const Operation* const operation = WorkAccess::find(*this, failure);
  if (operation == nullptr) return failure;
  return operation->waited ? operation::error_of(*operation) : std::error_code();
}

bool Work::seen_complete() const noexcept {
  std::error_code failure;
  const Operation* const operation = WorkAccess::find(*this, failure);
  return operation != nullptr && operation->waited;
}

bool Work::cancel() {
  const CallingFrame frame(__builtin_frame_address(0));
  Operation& operation = WorkAccess::get(*this, "cancel");
  if (operation.record.kind == registry::Kind::send) {
    throw handle_error(Errc::cannot_cancel_send, "cancel",
                       "a send cannot be cancelled: MPI deprecates it and libraries that try may "
                       "hang; wait() for it or detach() it");
  }
  if (operation.record.kind == registry::Kind::collective) {
    throw handle_error(Errc::cannot_cancel_collective, "cancel",
                       "a collective cannot be cancelled (MPI 3.1 section 5.12): wait() for it or "
                       "detach() it");
  }
  if (operation.state.load(std::memory_order_relaxed) == operation::State::complete) {
    return operation.cancelled;
  }
  operation::ask_to_cancel(operation);
  // Taken back at once or matched already, in which case it goes on.
  for (int i = 0; i < 64 && !operation::look(operation); ++i) {
  }
  if (operation.cancelled) operation.waited = true;
  return operation.cancelled;
}

void Work::detach() {
  const CallingFrame frame(__builtin_frame_address(0));
  Operation& operation = WorkAccess::get(*this, "detach");
  operation_ = nullptr;
  operation.detached = true;
  operation::note(operation, recorder::EventKind::detach);
  if (operation::look(operation)) {
    operation::retire(operation);
    return;
  }
  operation::give_up_bytes(operation);
  operation::hand_over(operation);
}

void Work::drop() noexcept {
  Operation* const operation = std::exchange(operation_, nullptr);
  if (!operation::running() ||
      operation->generation.load(std::memory_order_relaxed) != generation_) {
    return;  // the Runtime took it over
  }
  if (operation->waited && !operation->unusual) [[likely]] {
    operation::release(*operation);
  } else {
    end_unusual(*operation);
  }
}

Keeper::~Keeper() = default;

}  // namespace waybill
