// SPDX-License-Identifier: BSD-3-Clause
#include "operation/completion.hpp"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "engine/waiting.hpp"
#include "operation/calling_frame.hpp"
#include "operation/collective_parts.hpp"
#include "operation/context.hpp"
#include "operation/flight.hpp"
#include "operation/lifecycle.hpp"
#include "operation/slab.hpp"
#include "operation/stall_watch.hpp"
#include "registry/describe.hpp"

namespace waybill::operation {

constinit thread_local const void* calling_frame = nullptr;

bool unguard(Operation& operation) noexcept {
  guard::Guard* const guard = operation.context->guard;
  if (guard == nullptr) return false;
  void** const guarded = registry::ContentWatch::attachment(operation.record);
  // Who frees a buffer touches it too, which is no second mistake.
  return guarded != nullptr &&
         guard->release(static_cast<guard::Guarded*>(std::exchange(*guarded, nullptr)),
                        registry::ContentWatch::is_lost(operation.record));
}

namespace {

/// Owns a lock only where somebody else may look at the request.
std::unique_lock<std::mutex> lock_request(Operation& operation) noexcept {
  StallWatch* const stalls = operation.context->stalls;
  return stalls == nullptr ? std::unique_lock<std::mutex>()
                           : std::unique_lock(stalls->lock_of(operation));
}

transport::Outcome test(Operation& operation) noexcept {
  return operation.context->transport.test(
      operation.request, {operation.record.kind, operation.cancel_asked}, operation.result);
}

/// What became of a collective whose ranks compare their calls; `ended` if there is a request.
transport::Outcome take_request(Operation& operation, CollectiveParts& parts) noexcept {
  using Stage = CollectiveParts::Stage;
  // acquire pairs with the release of whoever handed it over
  Stage stage = parts.stage.load(std::memory_order_acquire);
  if (stage == Stage::comparing) {
    operation.context->engine.assist();
    stage = parts.stage.load(std::memory_order_acquire);
  }
  if (stage == Stage::comparing) return transport::Outcome::in_flight;
  parts.stage.store(Stage::taken, std::memory_order_release);  // for has_request()
  if (stage == Stage::refused) {
    operation.result.failure = std::move(parts.failure);
    return transport::Outcome::failed;
  }
  operation.request = parts.request;
  return transport::Outcome::ended;
}

/// The same where somebody else may look at the request.
transport::Outcome test_thoroughly(Operation& operation) noexcept {
  const std::unique_lock lock = lock_request(operation);
  if (!has_request(operation)) {
    const transport::Outcome outcome = take_request(operation, *parts_of(operation));
    if (outcome != transport::Outcome::ended) return outcome;
  }
  return test(operation);
}

/// The program gets the bytes back: whether it left them alone.
void check_bytes(Operation& operation) noexcept {
  registry::ContentWatch& content = *operation.context->content;
  // before anybody compares, since pages may be closed
  const bool told = unguard(operation);
  content.check(operation.record, calling_frame, told);
}

/// How much of a buffer was written.
std::size_t delivered_bytes(const Operation& operation) noexcept {
  return operation.record.kind == registry::Kind::receive ? operation.result.bytes
                                                          : operation.record.bytes;
}

/// Deeper checks at the end of a transfer, before the program is told.
void end_contents(Operation& operation, transport::Outcome outcome) noexcept {
  registry::ContentWatch& content = *operation.context->content;
  check_bytes(operation);
  if (operation.record.access == registry::Access::write) {
    const transport::Failure* const failure = operation.result.failure.get();
    if (outcome == transport::Outcome::ended) {
      content.deliver(operation.record, delivered_bytes(operation));
    } else if (failure != nullptr && failure->code == Errc::truncated) {
      content.deliver(operation.record, operation.record.bytes);  // its beginning is there
    }
  }
  content.end(operation.record);
}

bool step_adopted(engine::Adopted& self) noexcept {
  auto& operation = static_cast<Operation&>(self);
  if (!look(operation)) return false;
  retire(operation);
  return true;
}

}  // namespace

bool look_at_transport(Operation& operation) noexcept {
  const transport::Outcome outcome =
      operation.unusual ? test_thoroughly(operation) : test(operation);
  if (outcome == transport::Outcome::in_flight) return false;
  finish(operation, outcome);
  engine::Engine::completed();
  return true;
}

namespace {

/// The other buffer of a collective, too.
void end_companion(Operation& operation, transport::Outcome outcome) noexcept {
  Operation* const companion = companion_of(operation);
  if (companion == nullptr) return;
  unwatch(*companion);
  if (operation.context->content != nullptr) end_contents(*companion, outcome);
}

void judge_unusual_end(Operation& operation, transport::Outcome outcome) noexcept {
  end_companion(operation, outcome);
  if (operation.context->content != nullptr) end_contents(operation, outcome);
  if (operation.context->stalls != nullptr) {
    operation.context->stalls->ended(operation, outcome == transport::Outcome::ended);
  }
  transport::Completion& result = operation.result;
  const transport::Failure* const failure = result.failure.get();
  operation.cancelled = outcome == transport::Outcome::cancelled;
  operation.unusual |= outcome != transport::Outcome::ended;
  if (operation.record.kind != registry::Kind::receive) return;
  if (operation.record.peer == null_rank) {  // what libraries say of it differs
    result.source = null_rank;
    result.tag = any_tag;
    result.bytes = 0;
    return;
  }
  if (outcome == transport::Outcome::ended && !operation.may_be_shorter &&
      result.bytes < operation.record.bytes) {
    operation.is_short = true;
    operation.unusual = true;
  }
  if (failure != nullptr && failure->code == Errc::truncated && operation.context->check) {
    operation.context->registry.truncated(operation.record, result.source, result.tag,
                                          failure->message_bytes);
  }
}

Waited wait_unrecorded(Operation& operation, TimePoint deadline) noexcept {
  if (is_quick(operation) && look(operation)) return Waited::complete;
  engine::Waiting waiting(operation.context->engine);
  while (!look(operation)) {
    if (waiting.over(deadline)) return Waited::expired;
    if (waiting.took_stock()) [[unlikely]] {
      if (!running()) return Waited::stopped;
      if (operation.context->stalls != nullptr) operation.context->stalls->look_if_due();
      if (waiting.may_visit()) {
        waiting.visit(operation.context->neighbours.of(operation.record.peer));
      }
    }
    waiting.idle(deadline);
  }
  return Waited::complete;
}

}  // namespace

void note_unusual_end(Operation& operation, transport::Outcome outcome) noexcept {
  judge_unusual_end(operation, outcome);
  note_end(operation, outcome);
}

Waited wait_until(Operation& operation, TimePoint deadline) noexcept {
  if (!operation.unusual || operation.context->recorder == nullptr) [[likely]] {
    return wait_unrecorded(operation, deadline);
  }
  using recorder::EventKind;
  note(operation, EventKind::wait);
  const Waited waited = wait_unrecorded(operation, deadline);
  note(operation, waited == Waited::complete  ? EventKind::waited
                  : waited == Waited::expired ? EventKind::expired
                                              : EventKind::stopped);
  return waited;
}

void ask_to_cancel(Operation& operation) noexcept {
  operation.cancel_asked = true;
  note(operation, recorder::EventKind::cancel);
  const std::unique_lock lock = lock_request(operation);
  operation.context->transport.cancel(operation.request);
}

void give_up_bytes(Operation& operation) noexcept {
  unwatch(operation);
  if (operation.context->content != nullptr) check_bytes(operation);
  if (Operation* const companion = companion_of(operation)) give_up_bytes(*companion);
}

void leave_to_transport(Operation& operation) noexcept {
  give_up_bytes(operation);
  registry::ContentWatch* const content = operation.context->content;
  if (content == nullptr) return;
  content->abandon(operation.record);
  if (Operation* const companion = companion_of(operation)) content->abandon(companion->record);
}

void hand_over(Operation& operation) noexcept {
  operation.step = step_adopted;
  operation.context->engine.adopt(operation);
}

void retire(Operation& operation) noexcept {
  if (operation.is_short && operation.waited && operation.context->check) [[unlikely]] {
    const transport::Completion& result = operation.result;
    operation.context->registry.short_message(operation.record, result.source, result.tag,
                                              result.bytes);
  }
  release(operation);
}

Status status_of(const Operation& operation) noexcept {
  const registry::Record& record = operation.record;
  if (record.kind == registry::Kind::send) {
    return {record.peer, record.tag, record.bytes, operation.element_bytes};
  }
  if (record.kind == registry::Kind::collective) {
    return {record.peer, any_tag, record.bytes, operation.element_bytes};
  }
  const transport::Completion& result = operation.result;
  return {result.source, result.tag, result.bytes, operation.element_bytes};
}

std::error_code error_of(const Operation& operation) noexcept {
  if (operation.result.failure != nullptr) return operation.result.failure->code;
  if (operation.cancelled) return Errc::cancelled;
  return {};
}

Error make_error(const Operation& operation) {
  const registry::Record& record = operation.record;
  ErrorDetail detail;
  detail.where = SourceLocation::current(record.site.file, record.site.function, record.site.line);
  detail.peer = record.peer;
  if (record.kind != registry::Kind::collective) detail.tag = record.tag;
  const transport::Failure* failure = operation.result.failure.get();
  if (failure == nullptr) {
    detail.routine = "cancel";
    detail.what = fmt::format("{}: it was cancelled", registry::describe(record));
    return Error(Errc::cancelled, std::move(detail));
  }
  detail.routine = failure->routine;
  detail.mpi_text = failure->text;
  if (failure->code == Errc::truncated && record.kind == registry::Kind::receive) {
    detail.peer = operation.result.source;
    detail.tag = operation.result.tag;
    detail.what = registry::describe_truncation(record, operation.result.source,
                                                operation.result.tag, failure->message_bytes);
  } else if (failure->code == Errc::collective_mismatch) {
    detail.what = fmt::format("{}: {}", registry::describe_briefly(record), failure->text);
  } else {
    detail.what = fmt::format("{}: {} failed: {}", registry::describe(record), failure->routine,
                              failure->text);
  }
  return Error(failure->code, std::move(detail));
}

void throw_error(const Operation& operation) {
  if (registry::Unthrown* const unthrown = operation.context->unthrown; unthrown != nullptr) {
    unthrown->forget(FindingKind::truncated, operation.record.site);
  }
  throw make_error(operation);
}

}  // namespace waybill::operation
