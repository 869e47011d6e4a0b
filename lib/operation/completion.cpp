// SPDX-License-Identifier: BSD-3-Clause
#include "operation/completion.hpp"

#include <fmt/format.h>

#include "engine/waiting.hpp"
#include "operation/context.hpp"
#include "operation/lifecycle.hpp"
#include "operation/slab.hpp"
#include "registry/describe.hpp"

namespace waybill::operation {

namespace {

using registry::Kind;

void record_receive(Operation& operation, const transport::Completion& completion) noexcept {
  if (operation.record.peer == null_rank) {  // what libraries say of it differs
    operation.source = null_rank;
    operation.message_tag = any_tag;
    operation.message_bytes = 0;
    return;
  }
  operation.source = completion.source;
  operation.message_tag = completion.tag;
  operation.message_bytes = completion.bytes;
  operation.is_short = !completion.cancelled && operation.failure == nullptr &&
                       !operation.may_be_shorter && completion.bytes < operation.record.bytes;
}

void finish(Operation& operation, transport::Completion& completion) noexcept {
  unwatch(operation);
  operation.failure = std::move(completion.failure);
  operation.cancelled = completion.cancelled;
  if (operation.record.kind == Kind::receive) {
    record_receive(operation, completion);
  } else {
    operation.source = operation.record.peer;
    operation.message_tag = operation.record.tag;
    operation.message_bytes = operation.record.bytes;
  }
  const Context& context = *operation.context;
  if (operation.failure != nullptr && operation.failure->code == Errc::truncated && context.check)
      [[unlikely]] {
    context.registry.truncated(operation.record, operation.source, operation.message_tag,
                               operation.failure->message_bytes);
  }
  // release pairs with the acquire of shutdown's look over all operations
  operation.state.store(State::complete, std::memory_order_release);
  engine::Engine::completed();
}

bool step_adopted(engine::Adopted& self) noexcept {
  auto& operation = static_cast<Operation&>(self);
  if (!look(operation)) return false;
  retire(operation);
  return true;
}

}  // namespace

bool look(Operation& operation) noexcept {
  if (operation.state.load(std::memory_order_relaxed) == State::complete) return true;
  transport::Completion completion;
  if (!operation.context->transport.test(operation.request, operation.record.kind, completion)) {
    return false;
  }
  finish(operation, completion);
  return true;
}

Waited wait_until(Operation& operation, TimePoint deadline) noexcept {
  if (look(operation)) return Waited::complete;
  engine::Waiting waiting(operation.context->engine);
  while (true) {
    if (waiting.over(deadline)) return Waited::expired;
    if (waiting.took_stock() && !running()) [[unlikely]]
      return Waited::stopped;
    waiting.idle(deadline);
    if (look(operation)) return Waited::complete;
  }
}

void hand_over(Operation& operation) noexcept {
  operation.step = step_adopted;
  operation.context->engine.adopt(operation);
}

void retire(Operation& operation) noexcept {
  if (operation.is_short && operation.waited && operation.context->check) [[unlikely]] {
    operation.context->registry.short_message(operation.record, operation.source,
                                              operation.message_tag, operation.message_bytes);
  }
  release(operation);
}

void unwatch(Operation& operation) noexcept {
  if (!operation.watched) return;
  operation.context->registry.release(operation.record);
  operation.watched = false;
}

Status status_of(const Operation& operation) noexcept {
  return {operation.source, operation.message_tag, operation.message_bytes,
          operation.element_bytes};
}

std::error_code error_of(const Operation& operation) noexcept {
  if (operation.failure != nullptr) return operation.failure->code;
  if (operation.cancelled) return Errc::cancelled;
  return {};
}

Error make_error(const Operation& operation) {
  const registry::Record& record = operation.record;
  ErrorDetail detail;
  detail.where = SourceLocation::current(record.site.file, record.site.function, record.site.line);
  detail.peer = record.peer;
  detail.tag = record.tag;
  const transport::Failure* failure = operation.failure.get();
  if (failure == nullptr) {
    detail.routine = "cancel";
    detail.what = fmt::format("{}: it was cancelled", registry::describe(record));
    return Error(Errc::cancelled, std::move(detail));
  }
  detail.routine = failure->routine;
  detail.mpi_text = failure->text;
  if (failure->code == Errc::truncated) {
    detail.peer = operation.source;
    detail.tag = operation.message_tag;
    detail.what = registry::describe_truncation(record, operation.source, operation.message_tag,
                                                failure->message_bytes);
  } else {
    detail.what = fmt::format("{}: {} failed: {}", registry::describe(record), failure->routine,
                              failure->text);
  }
  return Error(failure->code, std::move(detail));
}

}  // namespace waybill::operation
