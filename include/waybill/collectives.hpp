// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Operations that all ranks of a communicator take part in (MPI 3.1 chapter 5).

#include <memory>
#include <utility>

#include "waybill/blocks.hpp"
#include "waybill/buffer.hpp"
#include "waybill/config.hpp"
#include "waybill/reduction.hpp"
#include "waybill/source_location.hpp"
#include "waybill/work.hpp"

namespace waybill {

class CommunicatorState;

/// The collective calls of a Communicator. Each `_async` call starts one and returns at
/// once, whether or not another rank has come: only wait() waits. The twin without
/// `_async` waits. The buffers must stay alive, those that are read unchanged and those
/// that are written untouched, until the Work is complete on this rank.
///
/// Every rank makes the same calls on a communicator in the same order, with the same root,
/// operator and kind of elements, and with numbers of elements that fit each other (MPI 3.1 section
/// 5.12). Two threads that post collectives on one communicator at once have no order: that is the
/// finding `concurrent-collectives`. Messages never meet collectives. Communicators made from an
/// MPI intercommunicator have messages only.
///
/// @p contribution is read and @p result written. Where all ranks have an equal part of a
/// buffer, its size is a multiple of size(), and rank i's part is the i-th; a strided view is
/// divided by its rows. `in_place` stands for the buffer that MPI lets MPI_IN_PLACE stand for, and
/// for a contribution to a reduction on every rank: the other buffer then holds it. A buffer that
/// does not count on a rank (the result of a gather on other ranks than the root)
/// is not looked at, and may be empty. Buffers of one call must not overlap.
///
/// Every call throws Error: as posts do, and Errc::invalid_rank (a root that is none),
/// invalid_blocks, invalid_reduction. A Work of these cannot be cancelled. Its status() has the
/// root as source, or any_source, and the size of this rank's result (else of its contribution).
class WAYBILL_API Collectives {
 public:
  /// Complete once all ranks have posted it.
  Work barrier_async(const SourceLocation& where = SourceLocation::current()) const;
  void barrier(const SourceLocation& where = SourceLocation::current()) const {
    barrier_async(where).wait();
  }

  /// The root's buffer, read there, is written on all other ranks.
  Work broadcast_async(const RecvBuffer& buffer, int root = 0,
                       const SourceLocation& where = SourceLocation::current()) const;
  void broadcast(const RecvBuffer& buffer, int root = 0,
                 const SourceLocation& where = SourceLocation::current()) const {
    broadcast_async(buffer, root, where).wait();
  }

  /// Element by element over all ranks; the result counts on the root.
  Work reduce_async(const SendBuffer& contribution, const RecvBuffer& result,
                    const Reduction& reduction, int root = 0,
                    const SourceLocation& where = SourceLocation::current()) const;
  void reduce(const SendBuffer& contribution, const RecvBuffer& result, const Reduction& reduction,
              int root = 0, const SourceLocation& where = SourceLocation::current()) const {
    reduce_async(contribution, result, reduction, root, where).wait();
  }
  /// The result comes to all ranks.
  Work allreduce_async(const SendBuffer& contribution, const RecvBuffer& result,
                       const Reduction& reduction,
                       const SourceLocation& where = SourceLocation::current()) const;
  void allreduce(const SendBuffer& contribution, const RecvBuffer& result,
                 const Reduction& reduction,
                 const SourceLocation& where = SourceLocation::current()) const {
    allreduce_async(contribution, result, reduction, where).wait();
  }

  /// The root gets the contributions of all ranks, in their order.
  Work gather_async(const SendBuffer& contribution, const RecvBuffer& result, int root = 0,
                    const SourceLocation& where = SourceLocation::current()) const;
  void gather(const SendBuffer& contribution, const RecvBuffer& result, int root = 0,
              const SourceLocation& where = SourceLocation::current()) const {
    gather_async(contribution, result, root, where).wait();
  }
  /// @p blocks, of the result, count on the root.
  Work gatherv_async(const SendBuffer& contribution, const RecvBuffer& result, const Blocks& blocks,
                     int root = 0, const SourceLocation& where = SourceLocation::current()) const;
  void gatherv(const SendBuffer& contribution, const RecvBuffer& result, const Blocks& blocks,
               int root = 0, const SourceLocation& where = SourceLocation::current()) const {
    gatherv_async(contribution, result, blocks, root, where).wait();
  }

  /// Each rank gets its part of the root's contribution.
  Work scatter_async(const SendBuffer& contribution, const RecvBuffer& result, int root = 0,
                     const SourceLocation& where = SourceLocation::current()) const;
  void scatter(const SendBuffer& contribution, const RecvBuffer& result, int root = 0,
               const SourceLocation& where = SourceLocation::current()) const {
    scatter_async(contribution, result, root, where).wait();
  }
  /// @p blocks, of the contribution, count on the root.
  Work scatterv_async(const SendBuffer& contribution, const Blocks& blocks,
                      const RecvBuffer& result, int root = 0,
                      const SourceLocation& where = SourceLocation::current()) const;
  void scatterv(const SendBuffer& contribution, const Blocks& blocks, const RecvBuffer& result,
                int root = 0, const SourceLocation& where = SourceLocation::current()) const {
    scatterv_async(contribution, blocks, result, root, where).wait();
  }

  /// All ranks get the contributions of all ranks.
  Work allgather_async(const SendBuffer& contribution, const RecvBuffer& result,
                       const SourceLocation& where = SourceLocation::current()) const;
  void allgather(const SendBuffer& contribution, const RecvBuffer& result,
                 const SourceLocation& where = SourceLocation::current()) const {
    allgather_async(contribution, result, where).wait();
  }
  Work allgatherv_async(const SendBuffer& contribution, const RecvBuffer& result,
                        const Blocks& blocks,
                        const SourceLocation& where = SourceLocation::current()) const;
  void allgatherv(const SendBuffer& contribution, const RecvBuffer& result, const Blocks& blocks,
                  const SourceLocation& where = SourceLocation::current()) const {
    allgatherv_async(contribution, result, blocks, where).wait();
  }

  /// The j-th part of rank i's contribution becomes the i-th part of rank j's result.
  Work alltoall_async(const SendBuffer& contribution, const RecvBuffer& result,
                      const SourceLocation& where = SourceLocation::current()) const;
  void alltoall(const SendBuffer& contribution, const RecvBuffer& result,
                const SourceLocation& where = SourceLocation::current()) const {
    alltoall_async(contribution, result, where).wait();
  }
  /// In place, the first blocks are not looked at.
  Work alltoallv_async(const SendBuffer& contribution, const Blocks& contribution_blocks,
                       const RecvBuffer& result, const Blocks& result_blocks,
                       const SourceLocation& where = SourceLocation::current()) const;
  void alltoallv(const SendBuffer& contribution, const Blocks& contribution_blocks,
                 const RecvBuffer& result, const Blocks& result_blocks,
                 const SourceLocation& where = SourceLocation::current()) const {
    alltoallv_async(contribution, contribution_blocks, result, result_blocks, where).wait();
  }

  /// Reduces, and rank i gets the i-th block of the result, of counts[i] elements. In place, the
  /// result holds the whole contribution before, and this rank's block at its front after.
  Work reduce_scatter_async(const SendBuffer& contribution, const RecvBuffer& result,
                            const Blocks& blocks, const Reduction& reduction,
                            const SourceLocation& where = SourceLocation::current()) const;
  void reduce_scatter(const SendBuffer& contribution, const RecvBuffer& result,
                      const Blocks& blocks, const Reduction& reduction,
                      const SourceLocation& where = SourceLocation::current()) const {
    reduce_scatter_async(contribution, result, blocks, reduction, where).wait();
  }
  /// The same with equal blocks.
  Work reduce_scatter_block_async(const SendBuffer& contribution, const RecvBuffer& result,
                                  const Reduction& reduction,
                                  const SourceLocation& where = SourceLocation::current()) const;
  void reduce_scatter_block(const SendBuffer& contribution, const RecvBuffer& result,
                            const Reduction& reduction,
                            const SourceLocation& where = SourceLocation::current()) const {
    reduce_scatter_block_async(contribution, result, reduction, where).wait();
  }

  /// Over the ranks up to this one.
  Work scan_async(const SendBuffer& contribution, const RecvBuffer& result,
                  const Reduction& reduction,
                  const SourceLocation& where = SourceLocation::current()) const;
  void scan(const SendBuffer& contribution, const RecvBuffer& result, const Reduction& reduction,
            const SourceLocation& where = SourceLocation::current()) const {
    scan_async(contribution, result, reduction, where).wait();
  }
  /// Over the ranks before this one; rank 0's result is undefined.
  Work exscan_async(const SendBuffer& contribution, const RecvBuffer& result,
                    const Reduction& reduction,
                    const SourceLocation& where = SourceLocation::current()) const;
  void exscan(const SendBuffer& contribution, const RecvBuffer& result, const Reduction& reduction,
              const SourceLocation& where = SourceLocation::current()) const {
    exscan_async(contribution, result, reduction, where).wait();
  }

 protected:
  Collectives() noexcept = default;
  explicit Collectives(std::shared_ptr<CommunicatorState> state) noexcept
      : state_(std::move(state)) {}
  Collectives(const Collectives&) = default;
  Collectives(Collectives&&) noexcept = default;
  Collectives& operator=(const Collectives&) = default;
  Collectives& operator=(Collectives&&) noexcept = default;
  ~Collectives() = default;

  std::shared_ptr<CommunicatorState> state_;
};

}  // namespace waybill
