// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/batch.hpp"

#include <fmt/format.h>

#include "communicator/post.hpp"
#include "operation/finding_error.hpp"
#include "operation/handle.hpp"
#include "waybill/communicator.hpp"

namespace waybill {

using communicator::Post;
using communicator::Refusal;
using registry::Kind;

/// One call of Communicator::post(): all members are checked before any is posted.
class BatchPost {
 public:
  BatchPost(const CommunicatorState* state, Batch& batch)
      : state_(state), members_(batch.members_) {}
  BatchPost(const BatchPost&) = delete;
  BatchPost& operator=(const BatchPost&) = delete;
  /// What was posted has left the batch, and the rest must not be posted alone.
  ~BatchPost() {
    if (begun_) members_.clear();
  }

  /// Posts all; false if one was refused, which ends it.
  bool run(BatchWork& works, const SourceLocation& where) {
    if (!check(where)) return false;
    BatchWork posted(members_.size());  // before the first post: it may throw
    works = std::move(posted);
    begun_ = true;
    return start_all(works, true) && start_all(works, false);
  }

  [[nodiscard]] std::error_code code() const { return refusal_.code; }

  /// Why run() returned false.
  [[nodiscard]] Error error(const SourceLocation& where) const {
    if (!refused_) return communicator::refusal_error(whole(where), refusal_);
    const Error one = communicator::refusal_error(post_of(*refused_), refusal_);
    ErrorDetail detail;
    detail.routine = one.routine();
    detail.mpi_text = one.mpi_text();
    detail.peer = one.peer();
    detail.tag = one.tag();
    detail.where = one.where();
    detail.what =
        fmt::format("post: member {} of {}: {}; {}", refused_ - members_.data(), members_.size(),
                    one.what(), !begun_ ? "nothing was posted" : what_goes_on());
    return Error(static_cast<Errc>(one.code().value()), std::move(detail));
  }

 private:
  using Member = Batch::Member;

  [[nodiscard]] Post post_of(const Member& member) const noexcept {
    return {.state = state_,
            .kind = member.receives ? Kind::receive : Kind::send,
            .buffer = member.buffer,
            .peer = member.peer,
            .tag = member.tag,
            .where = member.where,
            .routine = member.receives ? "irecv" : "isend",
            .keeps_findings = true};
  }

  /// A post that only the communicator can spoil.
  [[nodiscard]] Post whole(const SourceLocation& where) const noexcept {
    static constexpr BufferShape nothing;
    return {state_, Kind::send, nothing, null_rank, 0, where, "post"};
  }

  [[nodiscard]] std::string what_goes_on() const {
    return fmt::format("{} posted before it go{} on, the rest was not posted", posted_,
                       posted_ == 1 ? "es" : "");
  }

  bool check(const SourceLocation& where) {
    refusal_.code = communicator::validate(whole(where));
    if (refusal_.code) return false;
    for (const Member& member : members_) {
      refusal_.code = communicator::validate(post_of(member));
      if (!refusal_.code) continue;
      refused_ = &member;
      return false;
    }
    return true;
  }

  /// All receives, or all sends.
  bool start_all(BatchWork& works, bool receives) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      Member& member = members_[i];
      if (member.receives != receives) continue;
      Operation* const operation =
          communicator::start(post_of(member), std::move(member.keeper), refusal_);
      if (operation == nullptr) [[unlikely]] {
        refused_ = &member;
        return false;
      }
      works[i] = WorkAccess::make(*operation);
      ++posted_;
    }
    return true;
  }

  const CommunicatorState* state_;
  std::vector<Member>& members_;
  Refusal refusal_;
  const Member* refused_ = nullptr;
  std::size_t posted_ = 0;
  bool begun_ = false;
};

BatchWork Communicator::post(Batch&& batch, const SourceLocation& where) const {
  const CommunicatorState* const state = state_.get();
  if (state != nullptr && operation::running() && !state->closed()) {
    operation::throw_finding(*state->context, "post");  // not behind it: handles would be lost
  }
  BatchPost post(state, batch);
  BatchWork works;
  if (!post.run(works, where)) [[unlikely]]
    throw post.error(where);
  return works;
}

BatchWork Communicator::post(Batch&& batch, std::error_code& failure,
                             const SourceLocation& where) const {
  BatchPost post(state_.get(), batch);
  BatchWork works;
  static_cast<void>(post.run(works, where));
  failure = post.code();
  return works;
}

void BatchWork::detach() {
  for (Work& work : works_) {
    if (work.valid()) work.detach();
  }
}

Keeper* BatchWork::keeper_of(const Work& work) {
  return WorkAccess::get(work, "owned").keeper.get();
}

void BatchWork::refuse_owned(std::size_t member) {
  ErrorDetail detail;
  detail.routine = "owned";
  detail.what = fmt::format(
      "owned: member {} does not own a container of this type; name the type that was moved in",
      member);
  throw Error(Errc::invalid_option, std::move(detail));
}

}  // namespace waybill
