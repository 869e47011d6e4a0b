// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/persistent.hpp"

#include <fmt/format.h>

#include "communicator/plain_post.hpp"
#include "operation/completion.hpp"
#include "operation/finding_error.hpp"
#include "operation/handle.hpp"
#include "registry/describe.hpp"
#include "registry/start_sites.hpp"
#include "waybill/communicator.hpp"

namespace waybill {

namespace {

using communicator::Post;
using communicator::Refusal;
using registry::Kind;

PostingSite site_of(const SourceLocation& where) noexcept {
  return {where.file_name(), where.function_name(), where.line()};
}

bool is_same(const SourceLocation& one, const SourceLocation& other) noexcept {
  return one.line() == other.line() && one.file_name() == other.file_name() &&
         one.function_name() == other.function_name();
}

[[noreturn]] void refuse(Errc code, const SourceLocation& where, const std::string& what) {
  ErrorDetail detail;
  detail.routine = "start";
  detail.where = where;
  detail.what = fmt::format("start ({}): {}", registry::describe(site_of(where)), what);
  throw Error(code, std::move(detail));
}

/// The operation, by the shortest way if it may go there; null if refused.
template <Kind kind>
Operation* start_one(const Post& post, Refusal& refusal) {
  if (post.buffer.is_plain()) [[likely]] {
    const communicator::PlainPost plain = communicator::plain_post(post);
    if (plain.size.bytes() < engine::long_move && communicator::is_plain(plain)) [[likely]] {
      const communicator::Started started = communicator::start_plain<kind>(plain);
      if (started.failure == nullptr) [[likely]]
        return &started.operation;
      refusal.code = started.failure->code;
      refusal.failure.reset(started.failure);
      communicator::take_back(started.operation);
      return nullptr;
    }
  }
  return communicator::start(post, nullptr, refusal);
}

void check(const Post& post) {
  Refusal refusal;
  refusal.code = communicator::validate(post);
  if (refusal.code) throw communicator::refusal_error(post, refusal);
}

}  // namespace

PersistentWork Communicator::send_init(const SendBuffer& buffer, int destination, int tag,
                                       const SourceLocation& where) const {
  check({state_.get(), Kind::send, buffer.shape(), destination, tag, where, "send_init"});
  return {state_, buffer.shape(), destination, tag, false, where};
}

PersistentWork Communicator::recv_init(const RecvBuffer& buffer, int source, int tag,
                                       const SourceLocation& where) const {
  check({state_.get(), Kind::receive, buffer.shape(), source, tag, where, "recv_init"});
  return {state_, buffer.shape(), source, tag, true, where};
}

/// What the last start left; throws if it is still active.
void PersistentWork::end_last(const SourceLocation& where) {
  std::error_code failure;
  const Operation* const last = WorkAccess::find(*this, failure);
  if (last != nullptr && !last->waited) {
    refuse(Errc::invalid_option, where,
           fmt::format("{} is still active; wait() for it before the next start",
                       registry::describe(last->record)));
  }
  static_cast<Work&>(*this) = Work();
}

void PersistentWork::remember(const SourceLocation& where) noexcept {
  started_ = where;
  started_number_ = registry::number_of_start(site_of(where));
}

void PersistentWork::start(const SourceLocation& where) {
  if (state_ == nullptr) [[unlikely]] {
    refuse(Errc::empty_handle, where,
           "it is empty: moved from, or not made by send_init or recv_init");
  }
  if (valid()) end_last(where);
  if (!is_same(where, started_)) [[unlikely]]
    remember(where);
  const Post post{.state = state_.get(),
                  .kind = receives_ ? Kind::receive : Kind::send,
                  .buffer = buffer_,
                  .peer = peer_,
                  .tag = tag_,
                  .where = made_,
                  .routine = "start",
                  .started = started_number_};
  Refusal refusal;
  Operation* const operation =
      receives_ ? start_one<Kind::receive>(post, refusal) : start_one<Kind::send>(post, refusal);
  if (operation == nullptr) [[unlikely]]
    throw communicator::refusal_error(post, refusal);
  static_cast<Work&>(*this) = WorkAccess::make(*operation);
}

void PersistentWork::start(std::error_code& failure, const SourceLocation& where) {
  failure.clear();
  try {
    start(where);
  } catch (const Error& error) {
    failure = error.code();
  }
}

void start_all(std::span<PersistentWork> works, const SourceLocation& where) {
  for (PersistentWork& work : works) work.start(where);
}

void wait_all(std::span<PersistentWork> works) {
  const PersistentWork* failed = nullptr;
  const PersistentWork* any = nullptr;
  for (PersistentWork& work : works) {
    if (!work.valid()) continue;
    any = &work;
    std::error_code failure;
    work.wait(failure);
    if (failure && failed == nullptr) failed = &work;
  }
  if (failed != nullptr) operation::throw_error(WorkAccess::get(*failed, "wait_all"));
  if (any != nullptr) {
    operation::throw_finding(*WorkAccess::get(*any, "wait_all").context, "wait_all");
  }
}

}  // namespace waybill
