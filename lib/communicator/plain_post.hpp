// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Nearly all posts: one contiguous buffer, one known rank, one tag, any thread.
/// The same steps as in post.cpp, without what only other posts need, inlined
/// into the public calls. What is not plain, or not valid, is left to post.cpp.

#include "communicator/directory.hpp"
#include "communicator/post.hpp"
#include "communicator/watching.hpp"
#include "operation/lifecycle.hpp"
#include "operation/slab.hpp"
#include "registry/footprint.hpp"

namespace waybill::communicator {

/// A plain post as it arrives.
struct PlainPost {
  const CommunicatorState* state;
  const void* address;
  detail::PlainCount count;
  detail::PlainSize size;
  int peer;
  int tag;
  const SourceLocation& where;
  std::uint8_t started = 0;  // as in Post

  [[nodiscard]] BufferShape shape() const noexcept {
    BufferShape shape;
    shape.address = address;
    shape.element_bytes = size.element_bytes();
    shape.columns = shape.element_bytes == 0 ? 0 : size.bytes() / shape.element_bytes;
    const bool is_struct = count.element() == Element::byte && shape.element_bytes != 1;
    shape.element = is_struct ? Element::opaque : count.element();
    shape.may_be_shorter = count.may_be_shorter();
    return shape;
  }
};

/// Of a post whose buffer is plain.
[[nodiscard]] inline PlainPost plain_post(const Post& post) noexcept {
  return {post.state,
          post.buffer.address,
          detail::plain_count(post.buffer),
          detail::plain_size(post.buffer),
          post.peer,
          post.tag,
          post.where,
          post.started};
}

/// Arguments that need no second look.
[[nodiscard]] inline bool is_plain(const PlainPost& post, Way way = Way::plain) noexcept {
  const CommunicatorState* const state = post.state;
  return operation::may_call_at_once() && state != nullptr &&
         state->way.load(std::memory_order_relaxed) == way &&
         static_cast<unsigned>(post.peer) < static_cast<unsigned>(state->size) &&
         static_cast<unsigned>(post.tag) <= static_cast<unsigned>(state->tag_upper_bound) &&
         post.address != nullptr;
}

/// What a post says of its operation, in a slot that acquire() returned.
inline void describe(const CommunicatorState& state, registry::Kind kind, std::size_t bytes,
                     std::uint32_t element_bytes, bool may_be_shorter, int peer, int tag,
                     const SourceLocation& where, Operation& operation,
                     std::uint8_t started = 0) noexcept {
  operation.context = state.context;
  operation.waited = false;
  operation.watched = false;
  operation.unusual = false;
  operation.detached = false;
  operation.dropped = false;
  operation.is_short = false;
  operation.cancelled = false;
  operation.cancel_asked = false;
  operation.may_be_shorter = may_be_shorter;
  operation.element_bytes = element_bytes;
  registry::Record& record = operation.record;
  record.site = {where.file_name(), where.function_name(), where.line()};
  record.bytes = bytes;
  record.communicator = state.name;
  record.peer = peer;
  record.tag = tag;
  record.kind = kind;
  record.access = kind == registry::Kind::send ? registry::Access::read : registry::Access::write;
  record.call = registry::Call::barrier;  // with its neighbours one store
  record.started = started;
}

/// The transport has taken it: from here on others can see it.
inline void publish(Operation& operation) noexcept {
  // In both, release pairs with the acquire of shutdown's look over all operations.
  if (!operation.request.ended_at_post()) {
    operation.state.store(operation::State::posted, std::memory_order_release);
    operation.context->engine.posted();
    return;
  }
  // Over; but the buffer stays watched until somebody looks.
  operation.state.store(
      operation.context->check ? operation::State::posted : operation::State::complete,
      std::memory_order_release);
}

/// An operation that was described, and is in flight if there is no failure; with one,
/// which is the caller's, it wants take_back().
struct Started {
  Operation& operation;
  transport::Failure* failure;
};

/// Of a post that is_plain().
template <registry::Kind kind>
[[gnu::always_inline]] inline Started start_plain(const PlainPost& post) {
  const CommunicatorState& state = *post.state;
  const operation::Context& context = *state.context;
  Operation& operation = operation::acquire();
  describe(state, kind, post.size.bytes(), post.size.element_bytes(), post.count.may_be_shorter(),
           post.peer, post.tag, post.where, operation, post.started);
  if (context.check &&
      registry::set_contiguous(operation.record.footprint, post.address, post.size.bytes())) {
    context.registry.post(operation.record);
    operation.watched = true;
  }
  const transport::Channel channel = state.channel_for(post.tag);
  transport::Transport& transport = context.transport;
  const transport::Posted posted =
      kind == registry::Kind::send
          ? transport.send_plain(post.address, post.count, post.peer, post.tag, channel)
          : transport.receive_plain(post.address, post.count, post.peer, post.tag, channel);
  if (posted.failure != nullptr) [[unlikely]]
    return {operation, posted.failure};
  operation.request = posted.request;
  publish(operation);
  return {operation, nullptr};
}

}  // namespace waybill::communicator
