// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Many sends and receives that are posted by one call.

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "waybill/buffer.hpp"
#include "waybill/config.hpp"
#include "waybill/source_location.hpp"
#include "waybill/wait.hpp"
#include "waybill/work.hpp"

namespace waybill {

/// What Communicator::post() is to post: a list of members, which remember their own
/// lines. Nothing is checked or in flight before the post, so a Batch that is destroyed
/// with members says nothing. Buffers are only described: they must live, and a send's
/// stay unchanged, from the post until the member is complete. Move-only, since it owns
/// the containers that were moved in. For one thread at a time. Needs no Runtime.
///
/// Memory: some 100 B per member in one vector; an owned container one allocation more.
class WAYBILL_API Batch {
 public:
  Batch() noexcept = default;
  Batch(Batch&&) noexcept = default;
  Batch& operator=(Batch&&) noexcept = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() = default;

  /// Adds a member and returns its index, by which BatchWork knows it. The parameters are
  /// those of Communicator::isend and irecv. Throws std::bad_alloc only. An MPI_Datatype
  /// must live until the post.
  std::size_t isend(const SendBuffer& buffer, int destination, int tag = 0,
                    const SourceLocation& where = SourceLocation::current()) {
    return add({buffer.shape(), where, nullptr, destination, tag, false});
  }
  std::size_t irecv(const RecvBuffer& buffer, int source, int tag = 0,
                    const SourceLocation& where = SourceLocation::current()) {
    return add({buffer.shape(), where, nullptr, source, tag, true});
  }
  /// Moves the container in; BatchWork::owned() hands it back.
  template <detail::Container C>
  std::size_t isend(C&& container, int destination, int tag = 0,
                    const SourceLocation& where = SourceLocation::current()) {
    return own<SendBuffer>(std::forward<C>(container), destination, tag, where);
  }
  template <detail::Container C>
  std::size_t irecv(C&& container, int source, int tag = 0,
                    const SourceLocation& where = SourceLocation::current()) {
    return own<RecvBuffer>(std::forward<C>(container), source, tag, where);
  }

  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
  [[nodiscard]] bool empty() const noexcept { return members_.empty(); }
  void reserve(std::size_t members) { members_.reserve(members); }
  /// Forgets all members; the memory stays for the next ones.
  void clear() noexcept { members_.clear(); }

 private:
  friend class BatchPost;
  struct Member {
    BufferShape buffer;
    SourceLocation where;
    std::unique_ptr<Keeper> keeper = nullptr;
    int peer = 0;
    int tag = 0;
    bool receives = false;
  };

  std::size_t add(Member&& member) {
    members_.push_back(std::move(member));
    return members_.size() - 1;
  }
  template <class Buffer, class C>
  std::size_t own(C&& container, int peer, int tag, const SourceLocation& where) {
    using Type = std::remove_cvref_t<C>;
    auto keeper = std::make_unique<detail::ContainerKeeper<Type>>(std::forward<C>(container));
    const BufferShape shape = Buffer(keeper->container()).shape();
    return add({shape, where, std::move(keeper), peer, tag, std::is_same_v<Buffer, RecvBuffer>});
  }

  std::vector<Member> members_;
};

/// The handles of a posted batch: one independent Work per member, in the order in which
/// they were added. It is a range of Work, so wait_any() and wait_some() take it too. The
/// rules of Work hold for each: who destroys this before all were waited for gets the
/// finding `dropped-handle` for those that were not, with their own lines.
class [[nodiscard]] WAYBILL_API BatchWork {
 public:
  BatchWork() noexcept = default;

  [[nodiscard]] std::size_t size() const noexcept { return works_.size(); }
  [[nodiscard]] bool empty() const noexcept { return works_.empty(); }
  /// By the index that Batch::isend and irecv returned; there is no check. May be moved out.
  [[nodiscard]] Work& operator[](std::size_t member) noexcept { return works_[member]; }
  [[nodiscard]] const Work& operator[](std::size_t member) const noexcept { return works_[member]; }
  [[nodiscard]] auto begin() noexcept { return works_.begin(); }
  [[nodiscard]] auto end() noexcept { return works_.end(); }
  [[nodiscard]] auto begin() const noexcept { return works_.begin(); }
  [[nodiscard]] auto end() const noexcept { return works_.end(); }

  /// As wait_all(): blocks until all are complete, then throws the first failure, if any.
  /// Handles that were moved out or detached are passed over.
  void wait() { wait_all(works_); }
  /// True if all completed in time, counted from this call. The rest goes on untouched.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> timeout) {
    return wait_until(detail::deadline(timeout));
  }
  [[nodiscard]] bool wait_until(std::chrono::steady_clock::time_point deadline) {
    return wait_all_until(works_, deadline);
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool wait_until(std::chrono::time_point<Clock, Duration> time) {
    return wait_until(detail::deadline(time));
  }
  /// Never blocks; true if all are complete. Drives progress.
  [[nodiscard]] bool test() { return wait_until(std::chrono::steady_clock::time_point::min()); }

  /// "I will not wait", for all members.
  void detach();

  /// Takes the handle of a member whose container was moved in, with take(). Throws
  /// Errc::invalid_option if it does not own a @p C, Errc::empty_handle as Work does.
  template <class C>
  OwnedWork<C> owned(std::size_t member) {
    auto* const keeper = dynamic_cast<detail::ContainerKeeper<C>*>(keeper_of(works_[member]));
    if (keeper == nullptr) refuse_owned(member);
    return OwnedWork<C>(std::move(works_[member]), &keeper->container());
  }

 private:
  friend class BatchPost;
  explicit BatchWork(std::size_t members) : works_(members) {}
  static Keeper* keeper_of(const Work& work);
  [[noreturn]] static void refuse_owned(std::size_t member);

  std::vector<Work> works_;
};

}  // namespace waybill
