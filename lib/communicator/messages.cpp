// SPDX-License-Identifier: BSD-3-Clause
// isend and irecv, and what is made of them.
#include "communicator/plain_post.hpp"
#include "operation/completion.hpp"
#include "operation/handle.hpp"
#include "operation/short_message.hpp"
#include "waybill/communicator.hpp"
#include "waybill/wait.hpp"

namespace waybill {

namespace {

using communicator::Post;
using communicator::Refusal;
using registry::Kind;

Work post_or_throw(const Post& post, std::unique_ptr<Keeper> keeper = nullptr) {
  Refusal refusal;
  Operation* const operation = communicator::start(post, std::move(keeper), refusal);
  if (operation == nullptr) [[unlikely]]
    throw communicator::refusal_error(post, refusal);
  return WorkAccess::make(*operation);
}

/// Not plain, or refused by the transport already.
[[gnu::noinline]] Work post_unusual(const CommunicatorState* state, Kind kind,
                                    const BufferShape& buffer, int peer, int tag,
                                    const SourceLocation& where, const char* routine,
                                    transport::FailurePointer failure) {
  const Post post{state, kind, buffer, peer, tag, where, routine};
  if (failure == nullptr) return post_or_throw(post);
  const std::error_code code = failure->code;
  throw communicator::refusal_error(post, {code, std::move(failure)});
}

template <Kind kind>
[[gnu::always_inline]] inline Work post(const CommunicatorState* state, const BufferShape& buffer,
                                        int peer, int tag, const SourceLocation& where,
                                        const char* routine) {
  transport::FailurePointer failure;
  Operation* const operation =
      communicator::start_plain<kind>(state, buffer, peer, tag, where, failure);
  if (operation != nullptr) [[likely]]
    return WorkAccess::make(*operation);
  return post_unusual(state, kind, buffer, peer, tag, where, routine, std::move(failure));
}

/// The twin that does not throw.
[[gnu::noinline]] Work post(const Post& post, std::error_code& code) {
  Refusal refusal;
  Operation* operation = nullptr;
  if (post.kind == Kind::send) {
    operation = communicator::start_plain<Kind::send>(post.state, post.buffer, post.peer, post.tag,
                                                      post.where, refusal.failure);
  } else {
    operation = communicator::start_plain<Kind::receive>(post.state, post.buffer, post.peer,
                                                         post.tag, post.where, refusal.failure);
  }
  if (operation != nullptr) [[likely]] {
    code.clear();
    return WorkAccess::make(*operation);
  }
  if (refusal.failure != nullptr) {
    code = refusal.failure->code;
    return {};
  }
  operation = communicator::start(post, nullptr, refusal);
  code = refusal.code;
  return operation == nullptr ? Work() : WorkAccess::make(*operation);
}

/// The status of a finished blocking receive; it reports a short message unless
/// somebody asks it for the size.
Status status_to_read(const Work& work) {
  Operation& operation = WorkAccess::get(work, "recv");
  Status status = operation::status_of(operation);
  if (operation.is_short && operation.context->check) {
    StatusAccess::expect_reader(status, operation);
  }
  operation.is_short = false;
  return status;
}

}  // namespace

Work Communicator::isend(const SendBuffer& buffer, int destination, int tag,
                         const SourceLocation& where) const {
  return post<Kind::send>(state_.get(), buffer.shape(), destination, tag, where, "isend");
}

Work Communicator::isend(const SendBuffer& buffer, int destination, int tag,
                         std::error_code& failure, const SourceLocation& where) const {
  return post({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "isend"},
              failure);
}

Work Communicator::isend_kept(const SendBuffer& buffer, std::unique_ptr<Keeper> keeper,
                              int destination, int tag, const SourceLocation& where) const {
  return post_or_throw({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "isend"},
                       std::move(keeper));
}

Work Communicator::irecv(const RecvBuffer& buffer, int source, int tag,
                         const SourceLocation& where) const {
  return post<Kind::receive>(state_.get(), buffer.shape(), source, tag, where, "irecv");
}

Work Communicator::irecv(const RecvBuffer& buffer, int source, int tag, std::error_code& failure,
                         const SourceLocation& where) const {
  return post({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "irecv"}, failure);
}

Work Communicator::irecv_kept(const RecvBuffer& buffer, std::unique_ptr<Keeper> keeper, int source,
                              int tag, const SourceLocation& where) const {
  return post_or_throw({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "irecv"},
                       std::move(keeper));
}

void Communicator::send(const SendBuffer& buffer, int destination, int tag,
                        const SourceLocation& where) const {
  post<Kind::send>(state_.get(), buffer.shape(), destination, tag, where, "send").wait();
}

void Communicator::send(const SendBuffer& buffer, int destination, int tag,
                        std::error_code& failure, const SourceLocation& where) const {
  Work work =
      post({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "send"}, failure);
  if (!failure) work.wait(failure);
}

Status Communicator::recv(const RecvBuffer& buffer, int source, int tag,
                          const SourceLocation& where) const {
  Work work = post<Kind::receive>(state_.get(), buffer.shape(), source, tag, where, "recv");
  work.wait();
  return status_to_read(work);
}

Status Communicator::recv(const RecvBuffer& buffer, int source, int tag, std::error_code& failure,
                          const SourceLocation& where) const {
  Work work =
      post({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "recv"}, failure);
  if (!failure) work.wait(failure);
  return failure ? Status() : status_to_read(work);
}

Status Communicator::sendrecv(const SendBuffer& send_buffer, int destination,
                              const RecvBuffer& recv_buffer, int source, int tag,
                              const SourceLocation& where) const {
  const Post outgoing{state_.get(), Kind::send, send_buffer.shape(), destination,
                      tag,          where,      "sendrecv"};
  // Nothing is in flight yet if the send is going to be refused.
  if (Refusal refusal{communicator::validate(outgoing), nullptr}; refusal.code) {
    throw communicator::refusal_error(outgoing, refusal);
  }
  Work receive = post_or_throw(
      {state_.get(), Kind::receive, recv_buffer.shape(), source, tag, where, "sendrecv"});
  Work send;
  try {
    send = post_or_throw(outgoing);
  } catch (...) {
    if (!receive.cancel()) receive.detach();
    throw;
  }
  Work both[2] = {std::move(receive), std::move(send)};
  wait_all(both);
  return status_to_read(both[0]);
}

Status Communicator::sendrecv(const SendBuffer& send_buffer, int destination,
                              const RecvBuffer& recv_buffer, int source, int tag,
                              std::error_code& failure, const SourceLocation& where) const {
  failure.clear();
  try {
    return sendrecv(send_buffer, destination, recv_buffer, source, tag, where);
  } catch (const Error& error) {
    failure = error.code();
    return {};
  }
}

}  // namespace waybill
