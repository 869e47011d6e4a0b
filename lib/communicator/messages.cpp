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

/// Large, or not plain after all: wrong, or wherever not any thread may call MPI. Takes
/// what the public calls take, so that they can jump here with all in its place.
template <Kind kind>
[[gnu::noinline]] Work post_any(const CommunicatorState* state, const void* address,
                                detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                                const SourceLocation& where) {
  const communicator::PlainPost post{state, address, count, size, peer, tag, where};
  const BufferShape shape = post.shape();
  return post_or_throw(
      {state, kind, shape, peer, tag, where, kind == Kind::send ? "isend" : "irecv"});
}

/// Only from what the operation remembers: the post then need not be kept for this.
[[noreturn, gnu::noinline]] void throw_refusal(Operation& operation, transport::Failure* failure,
                                               const char* routine) {
  const Refusal refusal{failure->code, transport::FailurePointer(failure)};
  const registry::Record& record = operation.record;
  const SourceLocation where =
      SourceLocation::current(record.site.file, record.site.function, record.site.line);
  const BufferShape unknown;
  const Post post{nullptr, record.kind, unknown, record.peer, record.tag, where, routine};
  communicator::take_back(operation);
  throw communicator::refusal_error(post, refusal);
}

[[gnu::always_inline]] inline bool is_short_and_plain(const communicator::PlainPost& post) {
  return post.size.bytes() < engine::long_move && communicator::is_plain(post);
}

template <Kind kind>
[[gnu::always_inline]] inline Work post_plain(const communicator::PlainPost& post,
                                              const char* routine) {
  const communicator::Started started = communicator::start_plain<kind>(post);
  if (started.failure != nullptr) [[unlikely]]
    throw_refusal(started.operation, started.failure, routine);
  return WorkAccess::make(started.operation);
}

/// The twin that does not throw.
Work post_or_say(const Post& post, std::error_code& code) {
  Refusal refusal;
  Operation* const operation = communicator::start(post, nullptr, refusal);
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

Work Communicator::isend_plain(const CommunicatorState* state, const void* address,
                               detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                               const SourceLocation& where) {
  const communicator::PlainPost post{state, address, count, size, peer, tag, where};
  if (!is_short_and_plain(post)) [[unlikely]]
    return post_any<Kind::send>(state, address, count, size, peer, tag, where);
  return post_plain<Kind::send>(post, "isend");
}

Work Communicator::irecv_plain(const CommunicatorState* state, const void* address,
                               detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                               const SourceLocation& where) {
  const communicator::PlainPost post{state, address, count, size, peer, tag, where};
  if (!is_short_and_plain(post)) [[unlikely]]
    return post_any<Kind::receive>(state, address, count, size, peer, tag, where);
  return post_plain<Kind::receive>(post, "irecv");
}

void Communicator::send_plain(const CommunicatorState* state, const void* address,
                              detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                              const SourceLocation& where) {
  const communicator::PlainPost post{state, address, count, size, peer, tag, where};
  if (is_short_and_plain(post)) [[likely]] {
    post_plain<Kind::send>(post, "send").wait();
  } else {
    const BufferShape shape = post.shape();
    post_or_throw({state, Kind::send, shape, peer, tag, where, "send"}).wait();
  }
}

Status Communicator::recv_plain(const CommunicatorState* state, const void* address,
                                detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                                const SourceLocation& where) {
  const communicator::PlainPost post{state, address, count, size, peer, tag, where};
  Work work;
  if (is_short_and_plain(post)) [[likely]] {
    work = post_plain<Kind::receive>(post, "recv");
  } else {
    const BufferShape shape = post.shape();
    work = post_or_throw({state, Kind::receive, shape, peer, tag, where, "recv"});
  }
  work.wait();
  return status_to_read(work);
}

Work Communicator::isend_any(const SendBuffer& buffer, int destination, int tag,
                             const SourceLocation& where) const {
  return post_or_throw(
      {state_.get(), Kind::send, buffer.shape(), destination, tag, where, "isend"});
}

Work Communicator::isend(const SendBuffer& buffer, int destination, int tag,
                         std::error_code& failure, const SourceLocation& where) const {
  return post_or_say({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "isend"},
                     failure);
}

Work Communicator::isend_kept(const SendBuffer& buffer, std::unique_ptr<Keeper> keeper,
                              int destination, int tag, const SourceLocation& where) const {
  return post_or_throw({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "isend"},
                       std::move(keeper));
}

Work Communicator::irecv_any(const RecvBuffer& buffer, int source, int tag,
                             const SourceLocation& where) const {
  return post_or_throw({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "irecv"});
}

Work Communicator::irecv(const RecvBuffer& buffer, int source, int tag, std::error_code& failure,
                         const SourceLocation& where) const {
  return post_or_say({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "irecv"},
                     failure);
}

Work Communicator::irecv_kept(const RecvBuffer& buffer, std::unique_ptr<Keeper> keeper, int source,
                              int tag, const SourceLocation& where) const {
  return post_or_throw({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "irecv"},
                       std::move(keeper));
}

void Communicator::send_any(const SendBuffer& buffer, int destination, int tag,
                            const SourceLocation& where) const {
  post_or_throw({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "send"}).wait();
}

void Communicator::send(const SendBuffer& buffer, int destination, int tag,
                        std::error_code& failure, const SourceLocation& where) const {
  Work work = post_or_say(
      {state_.get(), Kind::send, buffer.shape(), destination, tag, where, "send"}, failure);
  if (!failure) work.wait(failure);
}

Status Communicator::recv_any(const RecvBuffer& buffer, int source, int tag,
                              const SourceLocation& where) const {
  Work work =
      post_or_throw({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "recv"});
  work.wait();
  return status_to_read(work);
}

Status Communicator::recv(const RecvBuffer& buffer, int source, int tag, std::error_code& failure,
                          const SourceLocation& where) const {
  Work work = post_or_say({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "recv"},
                          failure);
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
