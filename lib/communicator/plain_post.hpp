// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Nearly all posts: one contiguous buffer, one known rank, one tag, any thread.
/// The same steps as in post.cpp, without what only other posts need, inlined
/// into the public calls. What is not plain, or not valid, is left to post.cpp.

#include <climits>

#include "communicator/directory.hpp"
#include "communicator/post.hpp"
#include "operation/lifecycle.hpp"
#include "operation/slab.hpp"
#include "registry/footprint.hpp"

namespace waybill::communicator {

/// Arguments that need no second look. Both factors of the size are below 2^31,
/// so that it fits.
[[nodiscard]] inline bool is_plain(const CommunicatorState* state, const BufferShape& buffer,
                                   int peer, int tag) noexcept {
  return operation::running() && state != nullptr &&
         state->open_to_all.load(std::memory_order_relaxed) &&
         static_cast<unsigned>(peer) < static_cast<unsigned>(state->size) &&
         static_cast<unsigned>(tag) <= static_cast<unsigned>(state->tag_upper_bound) &&
         buffer.rows == 1 && buffer.element != Element::native &&
         (buffer.columns | buffer.element_bytes) <= INT_MAX && buffer.address != nullptr;
}

/// Describes the post in a slot that acquire() returned.
inline void describe(const CommunicatorState& state, registry::Kind kind, const BufferShape& buffer,
                     int peer, int tag, const SourceLocation& where,
                     Operation& operation) noexcept {
  operation.context = state.context;
  operation.waited = false;
  operation.detached = false;
  operation.dropped = false;
  operation.watched = false;
  operation.is_short = false;
  operation.cancelled = false;
  operation.cancel_asked = false;
  operation.may_be_shorter = buffer.may_be_shorter;
  operation.element_bytes = static_cast<std::uint32_t>(buffer.element_bytes);
  registry::Record& record = operation.record;
  record.site = {where.file_name(), where.function_name(), where.line()};
  record.bytes = buffer.bytes();
  record.communicator = state.name;
  record.peer = peer;
  record.tag = tag;
  record.kind = kind;
  record.access = kind == registry::Kind::send ? registry::Access::read : registry::Access::write;
}

/// The transport has taken it: from here on others can see it.
inline void publish(Operation& operation) noexcept {
  // release pairs with the acquire of shutdown's look over all operations
  operation.state.store(operation::State::posted, std::memory_order_release);
  if (!operation.request.ended_at_post()) operation.context->engine.posted();
}

/// The operation in flight; null if the post is not plain, or if the transport
/// refused it and @p failure says why.
template <registry::Kind kind>
[[gnu::always_inline]] inline Operation* start_plain(const CommunicatorState* state,
                                                     const BufferShape& buffer, int peer, int tag,
                                                     const SourceLocation& where,
                                                     transport::FailurePointer& failure) {
  if (!is_plain(state, buffer, peer, tag)) [[unlikely]]
    return nullptr;
  Operation& operation = operation::acquire();
  describe(*state, kind, buffer, peer, tag, where, operation);
  const operation::Context& context = *state->context;
  if (context.check) {
    registry::set_contiguous(operation.record.footprint, buffer.address, operation.record.bytes);
    context.registry.post(operation.record);
    operation.watched = true;
  }
  const transport::Envelope envelope{state->channel_for(tag), peer, tag};
  transport::Failure* const refused =
      kind == registry::Kind::send ? context.transport.send(buffer, envelope, operation.request)
                                   : context.transport.receive(buffer, envelope, operation.request);
  if (refused != nullptr) [[unlikely]] {
    failure.reset(refused);
    if (operation.watched) context.registry.release(operation.record);
    operation::release(operation);
    return nullptr;
  }
  publish(operation);
  return &operation;
}

}  // namespace waybill::communicator
