// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A group of ranks that exchange messages. The collective calls are in collectives.hpp.

#include <cstddef>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "waybill/buffer.hpp"
#include "waybill/collectives.hpp"
#include "waybill/config.hpp"
#include "waybill/source_location.hpp"
#include "waybill/status.hpp"
#include "waybill/work.hpp"

namespace waybill {

class Batch;
class BatchWork;
class PersistentWork;

struct CommunicatorOptions {
  /// A promise: no any_source and no any_tag on this communicator, which is then
  /// refused as Errc::wildcard_refused. Lets Waybill spread tags over several
  /// MPI communicators, so that a long list of pending receives costs nothing.
  bool exact_matching = false;
};

/// Always on an MPI communicator of its own: its messages never meet the
/// application's own MPI traffic. Copies name the same communicator. Its memory
/// is given back by free() or at shutdown, not by the destructor, because
/// freeing is collective. All posting calls may be made by any thread at once
/// (by the main thread only, where MPI gave no more than MPI_THREAD_FUNNELED).
///
/// Ranks are 0 .. size()-1, or null_rank. Tags are 0 .. tag_upper_bound() (MPI 3.1 section
/// 8.1.2: at least 32767; 2147483647 with Open MPI 4.1, 268435455 with MPICH 4.0).
/// Messages between two ranks with tags that both match are taken in the order
/// they were sent (section 3.5). Counts are std::size_t without MPI's limit of 2^31.
///
/// Every call throws Error: Errc::invalid_rank, invalid_tag, invalid_buffer,
/// wildcard_refused, not_running, forked_child, wrong_thread, transport. The twins
/// with an std::error_code report the same without throwing and return an empty
/// Work. The last parameter, the posting line, is filled in by the compiler.
class WAYBILL_API Communicator : public Collectives {
 public:
  /// Empty: valid() is false and every call throws.
  Communicator() noexcept = default;

  /// All processes, and this process alone, of the running Runtime.
  static Communicator world();
  static Communicator self();

  [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }
  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] int tag_upper_bound() const;
  [[nodiscard]] bool exact_matching() const;

  /// Collective over this communicator, like MPI_Comm_dup and MPI_Comm_split.
  /// A rank that gives nullopt as color gets an empty Communicator.
  [[nodiscard]] Communicator dup(const CommunicatorOptions& options = {}) const;
  [[nodiscard]] Communicator split(std::optional<int> color, int key = 0,
                                   const CommunicatorOptions& options = {}) const;
  /// Collective. Operations in flight complete as usual (MPI 3.1 section 6.4.3);
  /// world and self cannot be freed.
  void free();

  /// Starts sending; the buffer must stay unchanged until the Work is complete.
  Work isend(const SendBuffer& buffer, int destination, int tag = 0,
             const SourceLocation& where = SourceLocation::current()) const {
    const BufferShape& shape = buffer.shape();
    if (!shape.is_plain()) return isend_any(buffer, destination, tag, where);
    return isend_plain(state_.get(), shape.address, detail::plain_count(shape),
                       detail::plain_size(shape), destination, tag, where);
  }
  Work isend(const SendBuffer& buffer, int destination, int tag, std::error_code& failure,
             const SourceLocation& where = SourceLocation::current()) const;
  /// Moves the container in; Work::take() hands it back.
  template <detail::Container C>
  OwnedWork<std::remove_cvref_t<C>> isend(
      C&& container, int destination, int tag = 0,
      const SourceLocation& where = SourceLocation::current()) const {
    return owned<SendBuffer>(std::forward<C>(container), destination, tag, where);
  }

  /// Starts receiving; the buffer must not be touched until the Work is complete.
  /// A longer message is Errc::truncated; a shorter one fills the front, see Status.
  Work irecv(const RecvBuffer& buffer, int source, int tag = 0,
             const SourceLocation& where = SourceLocation::current()) const {
    const BufferShape& shape = buffer.shape();
    if (!shape.is_plain()) return irecv_any(buffer, source, tag, where);
    return irecv_plain(state_.get(), shape.address, detail::plain_count(shape),
                       detail::plain_size(shape), source, tag, where);
  }
  Work irecv(const RecvBuffer& buffer, int source, int tag, std::error_code& failure,
             const SourceLocation& where = SourceLocation::current()) const;
  template <detail::Container C>
  OwnedWork<std::remove_cvref_t<C>> irecv(
      C&& container, int source, int tag = 0,
      const SourceLocation& where = SourceLocation::current()) const {
    return owned<RecvBuffer>(std::forward<C>(container), source, tag, where);
  }

  /// Blocking twins.
  void send(const SendBuffer& buffer, int destination, int tag = 0,
            const SourceLocation& where = SourceLocation::current()) const {
    const BufferShape& shape = buffer.shape();
    if (!shape.is_plain()) return send_any(buffer, destination, tag, where);
    send_plain(state_.get(), shape.address, detail::plain_count(shape), detail::plain_size(shape),
               destination, tag, where);
  }
  void send(const SendBuffer& buffer, int destination, int tag, std::error_code& failure,
            const SourceLocation& where = SourceLocation::current()) const;
  Status recv(const RecvBuffer& buffer, int source, int tag = 0,
              const SourceLocation& where = SourceLocation::current()) const {
    const BufferShape& shape = buffer.shape();
    if (!shape.is_plain()) return recv_any(buffer, source, tag, where);
    return recv_plain(state_.get(), shape.address, detail::plain_count(shape),
                      detail::plain_size(shape), source, tag, where);
  }
  Status recv(const RecvBuffer& buffer, int source, int tag, std::error_code& failure,
              const SourceLocation& where = SourceLocation::current()) const;
  /// Both at once, without the deadlock of two blocking sends. The buffers must not overlap.
  Status sendrecv(const SendBuffer& send_buffer, int destination, const RecvBuffer& recv_buffer,
                  int source, int tag = 0,
                  const SourceLocation& where = SourceLocation::current()) const;
  Status sendrecv(const SendBuffer& send_buffer, int destination, const RecvBuffer& recv_buffer,
                  int source, int tag, std::error_code& failure,
                  const SourceLocation& where = SourceLocation::current()) const;

  /// Posts a batch (batch.hpp): its receives, then its sends, each in the order added.
  /// All members are checked first: a wrong one is refused with its line, and the batch
  /// stays as it was. If MPI refuses one later, what was posted goes on and its handles
  /// are dropped by the Error; the twin returns them, with empty ones for the rest. Else
  /// the batch is empty afterwards.
  BatchWork post(Batch&& batch, const SourceLocation& where = SourceLocation::current()) const;
  BatchWork post(Batch&& batch, std::error_code& failure,
                 const SourceLocation& where = SourceLocation::current()) const;

  /// A send or receive to be started many times (persistent.hpp). Nothing is posted here.
  PersistentWork send_init(const SendBuffer& buffer, int destination, int tag = 0,
                           const SourceLocation& where = SourceLocation::current()) const;
  PersistentWork recv_init(const RecvBuffer& buffer, int source, int tag = 0,
                           const SourceLocation& where = SourceLocation::current()) const;

  /// Waits until a matching message is there, or looks whether one is, without
  /// receiving it (MPI 3.1 section 3.8.1). Where several threads receive, another
  /// one may take the message first.
  [[nodiscard]] Status probe(int source, int tag = 0,
                             const SourceLocation& where = SourceLocation::current()) const;
  [[nodiscard]] std::optional<Status> iprobe(
      int source, int tag = 0, const SourceLocation& where = SourceLocation::current()) const;

 private:
  friend class CommunicatorAccess;
  explicit Communicator(std::shared_ptr<CommunicatorState> state) noexcept
      : Collectives(std::move(state)) {}

  /// Plain buffers, with all arguments in registers.
  static Work isend_plain(const CommunicatorState* state, const void* address,
                          detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                          const SourceLocation& where);
  static Work irecv_plain(const CommunicatorState* state, const void* address,
                          detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                          const SourceLocation& where);
  static void send_plain(const CommunicatorState* state, const void* address,
                         detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                         const SourceLocation& where);
  static Status recv_plain(const CommunicatorState* state, const void* address,
                           detail::PlainCount count, detail::PlainSize size, int peer, int tag,
                           const SourceLocation& where);
  /// All others.
  Work isend_any(const SendBuffer& buffer, int destination, int tag,
                 const SourceLocation& where) const;
  Work irecv_any(const RecvBuffer& buffer, int source, int tag, const SourceLocation& where) const;
  void send_any(const SendBuffer& buffer, int destination, int tag,
                const SourceLocation& where) const;
  Status recv_any(const RecvBuffer& buffer, int source, int tag, const SourceLocation& where) const;

  /// Posts with a Keeper; on success the operation owns it.
  Work isend_kept(const SendBuffer& buffer, std::unique_ptr<Keeper> keeper, int destination,
                  int tag, const SourceLocation& where) const;
  Work irecv_kept(const RecvBuffer& buffer, std::unique_ptr<Keeper> keeper, int source, int tag,
                  const SourceLocation& where) const;

  template <class Buffer, class C>
  auto owned(C&& container, int peer, int tag, const SourceLocation& where) const {
    using Type = std::remove_cvref_t<C>;
    auto keeper = std::make_unique<detail::ContainerKeeper<Type>>(std::forward<C>(container));
    Type& kept = keeper->container();
    if constexpr (std::is_same_v<Buffer, SendBuffer>) {
      return OwnedWork<Type>(isend_kept(kept, std::move(keeper), peer, tag, where), &kept);
    } else {
      return OwnedWork<Type>(irecv_kept(kept, std::move(keeper), peer, tag, where), &kept);
    }
  }
};

}  // namespace waybill
