// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/post.hpp"

#include "communicator/plain_post.hpp"
#include "communicator/watching.hpp"
#include "operation/completion.hpp"
#include "operation/flight.hpp"
#include "operation/stall_watch.hpp"

namespace waybill::communicator {

namespace {

using registry::Kind;

/// Rows may overlap where they are only read.
bool valid_rows(const BufferShape& buffer, bool written) noexcept {
  if (buffer.rows <= 1 || buffer.columns == 0) return true;
  if (written && buffer.stride_bytes < buffer.columns * buffer.element_bytes) return false;
  std::size_t bytes = 0;
  return !__builtin_mul_overflow(buffer.rows, buffer.stride_bytes, &bytes);
}

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

void watch_bytes(const Post& post, Operation& operation) noexcept {
  const operation::Context& context = *operation.context;
  if (!context.check || operation.keeper != nullptr) return;  // an owned buffer is unreachable
  operation.record.footprint =
      post.peer == null_rank ? registry::Footprint() : footprint_of(post.buffer, context);
  watch(operation);
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

bool is_usable(const BufferShape& buffer, bool written) noexcept {
  if (buffer.in_place) return false;
  if (buffer.element == Element::native) return true;  // may be MPI_BOTTOM with absolute addresses
  std::size_t elements = 0;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(buffer.rows, buffer.columns, &elements) ||
      __builtin_mul_overflow(elements, buffer.element_bytes, &bytes) || bytes > PTRDIFF_MAX) {
    return false;
  }
  if (buffer.address == nullptr && bytes != 0) return false;
  return buffer.rows == 1 || valid_rows(buffer, written);
}

std::error_code validate_state(const CommunicatorState* state) noexcept {
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
  return {};
}

std::error_code validate(const Post& post) noexcept {
  if (const std::error_code code = validate_state(post.state)) return code;
  if (const std::error_code code = validate_peer(post)) return code;
  return is_usable(post.buffer, post.kind == Kind::receive) ? std::error_code()
                                                            : Errc::invalid_buffer;
}

std::unique_ptr<Finding> to_be_thrown(const Operation& operation) {
  registry::Unthrown* const unthrown = operation.context->unthrown;
  if (unthrown == nullptr) [[likely]]
    return nullptr;
  std::optional<Finding> finding = unthrown->take();
  return finding ? std::make_unique<Finding>(std::move(*finding)) : nullptr;
}

void publish_with_care(Operation& operation) noexcept {
  if (operation.context->stalls != nullptr && !operation.request.ended_at_post()) {
    operation.context->stalls->posted(operation);
  }
  if (operation.context->thorough && operation.request.ended_at_post()) {
    // It ends where somebody looks. Release as in publish().
    operation.state.store(operation::State::posted, std::memory_order_release);
  } else {
    publish(operation);
  }
}

namespace {

/// By the shorter way.
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
  watch_bytes(post, operation);
  operation.unusual = operation.keeper != nullptr || operation.record.footprint.blocks != nullptr ||
                      post.peer == null_rank || operation.context->thorough;
  if (!post.keeps_findings) refusal.finding = to_be_thrown(operation);
  if (refusal.finding != nullptr) [[unlikely]] {
    take_back(operation);
    refusal.code = Errc::finding;
    return nullptr;
  }
  operation::note(operation, recorder::EventKind::post);  // before others can see the message
  const BufferShape instead = begin_contents(operation, buffer);
  refusal.failure = hand_to_transport(
      {post.state, post.kind, instead, post.peer, post.tag, post.where, post.routine}, operation);
  if (refusal.failure != nullptr) [[unlikely]] {
    refusal.code = refusal.failure->code;
    operation::note(operation, recorder::EventKind::failed);
    take_back(operation);
    return nullptr;
  }
  publish_with_care(operation);
  return &operation;
}

}  // namespace waybill::communicator
