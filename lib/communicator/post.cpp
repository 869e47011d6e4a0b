// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/post.hpp"

#include "communicator/plain_post.hpp"
#include "operation/completion.hpp"
#include "operation/flight.hpp"
#include "operation/stall_watch.hpp"

namespace waybill::communicator {

namespace {

using registry::Kind;

std::error_code validate_peer(const Post& post) noexcept {
  const CommunicatorState& state = *post.state;
  if (static_cast<unsigned>(post.peer) >= static_cast<unsigned>(state.size)) [[unlikely]] {
    if (post.kind == Kind::receive && post.peer == any_source) {
      if (state.exact_matching) return Errc::wildcard_refused;
    } else if (post.peer != null_rank) {
      return Errc::invalid_rank;
    }
  }
  if (post.tag < 0 || post.tag > state.tag_upper_bound) [[unlikely]] {
    if (post.kind == Kind::send || post.tag != any_tag) return Errc::invalid_tag;
    if (state.exact_matching) return Errc::wildcard_refused;
  }
  return {};
}

/// Rows may overlap in a send, which only reads them.
bool valid_rows(const Post& post) noexcept {
  const BufferShape& buffer = post.buffer;
  if (buffer.rows <= 1 || buffer.columns == 0) return true;
  if (post.kind == Kind::receive && buffer.stride_bytes < buffer.columns * buffer.element_bytes) {
    return false;
  }
  std::size_t bytes = 0;
  return !__builtin_mul_overflow(buffer.rows, buffer.stride_bytes, &bytes);
}

bool valid_buffer(const Post& post) noexcept {
  const BufferShape& buffer = post.buffer;
  if (buffer.element == Element::native) return true;  // may be MPI_BOTTOM with absolute addresses
  std::size_t elements = 0;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(buffer.rows, buffer.columns, &elements) ||
      __builtin_mul_overflow(elements, buffer.element_bytes, &bytes) || bytes > PTRDIFF_MAX) {
    return false;
  }
  if (buffer.address == nullptr && bytes != 0) return false;
  return buffer.rows == 1 || valid_rows(post);
}

registry::Footprint footprint_of(const Post& post, const operation::Context& context) noexcept {
  const BufferShape& buffer = post.buffer;
  if (post.peer == null_rank) return {};
  if (buffer.element == Element::native) return context.transport.native_footprint(buffer);
  const std::size_t row_bytes = buffer.columns * buffer.element_bytes;
  if (buffer.rows == 1) [[likely]]
    return registry::contiguous_footprint(buffer.address, row_bytes);
  return registry::strided_footprint(buffer.address, buffer.rows, row_bytes, buffer.stride_bytes);
}

void watch(const Post& post, Operation& operation) noexcept {
  const operation::Context& context = *operation.context;
  if (!context.check || operation.keeper != nullptr) return;  // an owned buffer is unreachable
  operation.record.footprint = footprint_of(post, context);
  if (context.content != nullptr) registry::ContentWatch::prepare(operation.record);
  context.registry.post(operation.record);
  operation.watched = operation.record.footprint.shape != registry::Shape::unwatched;
}

/// Level guard: from here on a touch of the program's is noticed when it happens.
void close_pages(Operation& operation) noexcept {
  guard::Guard* const guard = operation.context->guard;
  if (guard == nullptr) return;
  if (void** const guarded = registry::ContentWatch::attachment(operation.record)) {
    *guarded = guard->protect(operation.record);
  }
}

/// What the transport is asked for on the shortest path too.
transport::FailurePointer hand_over_plain(const PlainPost& post, Operation& operation) noexcept {
  transport::Transport& transport = operation.context->transport;
  const transport::Channel channel = post.state->channel_for(post.tag);
  const transport::Posted posted =
      operation.record.kind == Kind::send
          ? transport.send_plain(post.address, post.count, post.peer, post.tag, channel)
          : transport.receive_plain(post.address, post.count, post.peer, post.tag, channel);
  operation.request = posted.request;
  return transport::FailurePointer(posted.failure);
}

transport::FailurePointer hand_to_transport(const Post& post, Operation& operation) noexcept {
  transport::Transport& transport = operation.context->transport;
  if (post.buffer.is_plain()) {
    const PlainPost plain = plain_post(post);
    if (is_plain(plain, Way::thorough)) return hand_over_plain(plain, operation);
  }
  const transport::Envelope envelope{post.state->channel_for(post.tag), post.peer, post.tag};
  return transport::FailurePointer(
      post.kind == Kind::send ? transport.send(post.buffer, envelope, operation.request)
                              : transport.receive(post.buffer, envelope, operation.request));
}

}  // namespace

std::error_code validate(const Post& post) noexcept {
  const CommunicatorState* const state = post.state;
  if (state == nullptr) [[unlikely]]
    return Errc::empty_handle;
  if (!operation::running() || state->epoch != operation::epoch.load(std::memory_order_relaxed))
      [[unlikely]] {
    return operation::not_running_code();
  }
  if (state->closed()) [[unlikely]]
    return Errc::empty_handle;
  if (!operation::thread_allowed()) [[unlikely]]
    return Errc::wrong_thread;
  if (const std::error_code code = validate_peer(post)) return code;
  return valid_buffer(post) ? std::error_code() : Errc::invalid_buffer;
}

void take_back(Operation& operation) noexcept {
  if (operation.watched) operation.context->registry.release(operation.record);
  if (operation.context->content != nullptr) {
    operation::unguard(operation);
    operation.context->content->end(operation.record);
  }
  operation::release(operation);
}

namespace {

/// The same by the shorter way.
Operation* start_plain(const Post& post, const PlainPost& plain, Refusal& refusal) {
  const Started started =
      post.kind == Kind::send ? start_plain<Kind::send>(plain) : start_plain<Kind::receive>(plain);
  refusal.failure.reset(started.failure);
  if (started.failure == nullptr) {
    refusal.code.clear();
    return &started.operation;
  }
  refusal.code = started.failure->code;
  take_back(started.operation);
  return nullptr;
}

}  // namespace

Operation* start(const Post& post, std::unique_ptr<Keeper> keeper, Refusal& refusal) {
  if (keeper == nullptr && post.buffer.is_plain()) {
    const PlainPost plain = plain_post(post);
    if (is_plain(plain)) {
      const engine::Inside inside;
      return start_plain(post, plain, refusal);
    }
  }
  refusal.code = validate(post);
  if (refusal.code) [[unlikely]]
    return nullptr;
  const engine::Inside inside;
  Operation& operation = operation::acquire();
  const BufferShape& buffer = post.buffer;
  describe(*post.state, post.kind, buffer.bytes(), static_cast<std::uint32_t>(buffer.element_bytes),
           buffer.may_be_shorter, post.peer, post.tag, post.where, operation, post.started);
  operation.keeper = std::move(keeper);
  watch(post, operation);
  operation.unusual = operation.keeper != nullptr || operation.record.footprint.blocks != nullptr ||
                      post.peer == null_rank || operation.context->thorough;
  if (operation.context->unthrown != nullptr && !post.keeps_findings) [[unlikely]] {
    // The post would be lost with the exception, so it is none.
    if (std::optional<Finding> finding = operation.context->unthrown->take()) {
      take_back(operation);
      refusal.code = Errc::finding;
      refusal.finding = std::make_unique<Finding>(std::move(*finding));
      return nullptr;
    }
  }
  operation::note(operation, recorder::EventKind::post);  // before others can see the message
  if (operation.watched && operation.context->content != nullptr) {
    const BufferShape instead = operation.context->content->begin(operation.record, buffer);
    // The transport must not meet closed pages.
    if (post.kind == Kind::send || instead.address != buffer.address) close_pages(operation);
    refusal.failure = hand_to_transport(
        {post.state, post.kind, instead, post.peer, post.tag, post.where, post.routine}, operation);
  } else {
    refusal.failure = hand_to_transport(post, operation);
  }
  if (refusal.failure != nullptr) [[unlikely]] {
    refusal.code = refusal.failure->code;
    operation::note(operation, recorder::EventKind::failed);
    take_back(operation);
    return nullptr;
  }
  if (operation.context->stalls != nullptr && !operation.request.ended_at_post()) {
    operation.context->stalls->posted(operation);
  }
  if (operation.context->thorough && operation.request.ended_at_post()) {
    // It ends where somebody looks. Release as in publish().
    operation.state.store(operation::State::posted, std::memory_order_release);
  } else {
    publish(operation);
  }
  return &operation;
}

}  // namespace waybill::communicator
