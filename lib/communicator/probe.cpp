// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/post.hpp"
#include "engine/waiting.hpp"
#include "operation/completion.hpp"
#include "operation/lifecycle.hpp"
#include "waybill/communicator.hpp"

namespace waybill {

namespace {

using communicator::Post;
using communicator::Refusal;

std::optional<Status> look_for_message(const Post& post) {
  if (post.peer == null_rank) return Status(null_rank, any_tag, 0, 1);  // MPI 3.1 section 3.11
  const transport::Envelope envelope{post.state->channel_for(post.tag), post.peer, post.tag};
  bool found = false;
  transport::Completion message;
  Refusal refusal;
  refusal.failure = post.state->context->transport.probe(envelope, found, message);
  if (refusal.failure != nullptr) {
    refusal.code = refusal.failure->code;
    throw communicator::refusal_error(post, refusal);
  }
  if (!found) return std::nullopt;
  return Status(message.source, message.tag, message.bytes, 1);
}

void require_valid(const Post& post) {
  if (Refusal refusal{communicator::validate(post), nullptr}; refusal.code) {
    throw communicator::refusal_error(post, refusal);
  }
}

}  // namespace

std::optional<Status> Communicator::iprobe(int source, int tag, const SourceLocation& where) const {
  const BufferShape nothing;
  const Post post{state_.get(), registry::Kind::receive, nothing, source, tag, where, "iprobe"};
  require_valid(post);
  return look_for_message(post);
}

Status Communicator::probe(int source, int tag, const SourceLocation& where) const {
  const BufferShape nothing;
  const Post post{state_.get(), registry::Kind::receive, nothing, source, tag, where, "probe"};
  require_valid(post);
  engine::Waiting waiting(state_->context->engine);
  while (true) {
    if (std::optional<Status> message = look_for_message(post)) return std::move(*message);
    if (waiting.may_visit()) waiting.visit(post.state->context->neighbours.of(source));
    waiting.idle(operation::never);
    if (!operation::running()) throw operation::not_running_error("probe", where);
  }
}

}  // namespace waybill
