// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The life of an operation as events of the flight recorder.

#include "operation/context.hpp"
#include "operation/operation.hpp"

namespace waybill::operation {

[[nodiscard]] inline recorder::Transfer transfer_of(const registry::Record& record) noexcept {
  switch (record.kind) {
    case registry::Kind::send: return recorder::Transfer::send;
    case registry::Kind::receive: return recorder::Transfer::receive;
    case registry::Kind::collective: break;
  }
  return recorder::transfer_of(record.call);
}

/// Where there is no recorder: nothing. By the operation's owner.
inline void note(const Operation& operation, recorder::EventKind kind) noexcept {
  recorder::FlightRecorder* const recorder = operation.context->recorder;
  if (recorder == nullptr) return;
  const registry::Record& record = operation.record;
  recorder::FlightEvent event;
  event.kind = kind;
  event.transfer = transfer_of(record);
  event.peer = record.peer;
  event.tag = record.tag;
  event.line = record.site.line;
  event.sequence = record.sequence;
  event.bytes = record.bytes;
  event.communicator = record.communicator;
  event.file = record.site.file;
  if (kind == recorder::EventKind::complete && record.kind == registry::Kind::receive) {
    event.peer = operation.result.source;  // who matched, and with what
    event.tag = operation.result.tag;
    event.bytes = operation.result.bytes;
  }
  recorder->ring().note(event);
}

/// Of an operation that ended so.
inline void note_end(const Operation& operation, transport::Outcome outcome) noexcept {
  using recorder::EventKind;
  note(operation, outcome == transport::Outcome::ended       ? EventKind::complete
                  : outcome == transport::Outcome::cancelled ? EventKind::cancelled
                                                             : EventKind::failed);
}

/// A wait for some of @p count operations begins, or its time is over; @p any is one of them.
inline void note_many(const Operation& any, recorder::EventKind kind, std::size_t count) noexcept {
  recorder::FlightRecorder* const recorder = any.context->recorder;
  if (recorder == nullptr) return;
  recorder::FlightEvent event;
  event.kind = kind;
  event.bytes = count;
  recorder->ring().note(event);
}

}  // namespace waybill::operation
