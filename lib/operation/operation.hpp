// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// An operation: what a Work handle stands for.
///
/// Life:   free -> posted -> complete -> free
///
/// From the post to its end an operation has one owner, which alone tests its
/// request and reads or writes its plain members:
/// - the thread that uses its Work, or
/// - the engine, after the handle was dropped or detached (Engine::adopt hands
///   the memory over under its mutex).
/// The owner that sees it complete calls complete(); the slot is given back by
/// the last one who needs the result, and its generation then moves on, so that
/// a stale handle is recognised. At shutdown the Runtime takes over what is left.

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/engine.hpp"
#include "registry/record.hpp"
#include "transport/transport.hpp"
#include "waybill/work.hpp"

namespace waybill {

namespace operation {

struct Context;

enum class State : std::uint8_t { free, posted, complete };

}  // namespace operation

/// Laid out so that the byte index finds what it looks at in one cache line.
class alignas(64) Operation : public engine::Adopted {
 public:
  // acquire/release: shutdown reads it from another thread
  std::atomic<std::uint32_t> generation{0};
  std::atomic<operation::State> state{operation::State::free};
  bool waited = false;   ///< somebody saw it complete through the handle
  bool watched = false;  ///< the registry holds its bytes
  /// Its end needs a second look: it owns something, has no peer, failed, was
  /// cancelled, is short, or is looked at thoroughly.
  bool unusual = false;
  bool detached : 1 = false;  ///< nobody is expected to wait
  bool dropped : 1 = false;   ///< the handle is gone although nobody waited
  bool is_short : 1 = false;  ///< the message was shorter than the buffer, nobody asked yet
  bool cancelled : 1 = false;
  bool cancel_asked : 1 = false;
  bool may_be_shorter = false;
  std::uint32_t element_bytes = 1;

  operation::Context* context = nullptr;
  transport::Completion result;  ///< of a completed one; a send's is in its record

  registry::Record record;
  transport::Request request;
  std::unique_ptr<Keeper> keeper;  ///< the moved-in container, if any
};

static_assert(sizeof(Operation) == 256, "docs/architecture.md states the memory per operation");

}  // namespace waybill
