// SPDX-License-Identifier: BSD-3-Clause
#include "registry/call.hpp"

namespace waybill::registry {

const char* name(Call call) noexcept {
  switch (call) {
    case Call::barrier: return "barrier_async";
    case Call::broadcast: return "broadcast_async";
    case Call::reduce: return "reduce_async";
    case Call::allreduce: return "allreduce_async";
    case Call::gather: return "gather_async";
    case Call::gatherv: return "gatherv_async";
    case Call::scatter: return "scatter_async";
    case Call::scatterv: return "scatterv_async";
    case Call::allgather: return "allgather_async";
    case Call::allgatherv: return "allgatherv_async";
    case Call::alltoall: return "alltoall_async";
    case Call::alltoallv: return "alltoallv_async";
    case Call::reduce_scatter: return "reduce_scatter_async";
    case Call::reduce_scatter_block: return "reduce_scatter_block_async";
    case Call::scan: return "scan_async";
    case Call::exscan: return "exscan_async";
  }
  return "collective";
}

}  // namespace waybill::registry
