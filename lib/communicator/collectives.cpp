// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/collectives.hpp"

#include "communicator/collective_post.hpp"
#include "operation/handle.hpp"

namespace waybill {

namespace {

using communicator::CollectivePost;
using registry::Call;

Work post(const CollectivePost& post) { return WorkAccess::make(communicator::start(post)); }

}  // namespace

Work Collectives::barrier_async(const SourceLocation& where) const {
  return post({.state = state_.get(), .call = Call::barrier, .where = where});
}

Work Collectives::broadcast_async(const RecvBuffer& buffer, int root,
                                  const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::broadcast,
               .where = where,
               .contribution = &buffer.shape(),
               .result = &buffer.shape(),
               .root = root});
}

Work Collectives::reduce_async(const SendBuffer& contribution, const RecvBuffer& result,
                               const Reduction& reduction, int root,
                               const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::reduce,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .reduction = &reduction,
               .root = root});
}

Work Collectives::allreduce_async(const SendBuffer& contribution, const RecvBuffer& result,
                                  const Reduction& reduction, const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::allreduce,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .reduction = &reduction});
}

Work Collectives::gather_async(const SendBuffer& contribution, const RecvBuffer& result, int root,
                               const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::gather,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .root = root});
}

Work Collectives::gatherv_async(const SendBuffer& contribution, const RecvBuffer& result,
                                const Blocks& blocks, int root, const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::gatherv,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .result_blocks = &blocks,
               .root = root});
}

Work Collectives::scatter_async(const SendBuffer& contribution, const RecvBuffer& result, int root,
                                const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::scatter,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .root = root});
}

Work Collectives::scatterv_async(const SendBuffer& contribution, const Blocks& blocks,
                                 const RecvBuffer& result, int root,
                                 const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::scatterv,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .contribution_blocks = &blocks,
               .root = root});
}

Work Collectives::allgather_async(const SendBuffer& contribution, const RecvBuffer& result,
                                  const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::allgather,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape()});
}

Work Collectives::allgatherv_async(const SendBuffer& contribution, const RecvBuffer& result,
                                   const Blocks& blocks, const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::allgatherv,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .result_blocks = &blocks});
}

Work Collectives::alltoall_async(const SendBuffer& contribution, const RecvBuffer& result,
                                 const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::alltoall,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape()});
}

Work Collectives::alltoallv_async(const SendBuffer& contribution, const Blocks& contribution_blocks,
                                  const RecvBuffer& result, const Blocks& result_blocks,
                                  const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::alltoallv,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .contribution_blocks = &contribution_blocks,
               .result_blocks = &result_blocks});
}

Work Collectives::reduce_scatter_async(const SendBuffer& contribution, const RecvBuffer& result,
                                       const Blocks& blocks, const Reduction& reduction,
                                       const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::reduce_scatter,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .result_blocks = &blocks,
               .reduction = &reduction});
}

Work Collectives::reduce_scatter_block_async(const SendBuffer& contribution,
                                             const RecvBuffer& result, const Reduction& reduction,
                                             const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::reduce_scatter_block,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .reduction = &reduction});
}

Work Collectives::scan_async(const SendBuffer& contribution, const RecvBuffer& result,
                             const Reduction& reduction, const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::scan,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .reduction = &reduction});
}

Work Collectives::exscan_async(const SendBuffer& contribution, const RecvBuffer& result,
                               const Reduction& reduction, const SourceLocation& where) const {
  return post({.state = state_.get(),
               .call = Call::exscan,
               .where = where,
               .contribution = &contribution.shape(),
               .result = &result.shape(),
               .reduction = &reduction});
}

}  // namespace waybill
