// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The collective operations of MPI 3.1 section 5.12, as Waybill calls them.

#include <cstdint>

namespace waybill::registry {

enum class Call : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
};

/// The public call: "broadcast_async".
[[nodiscard]] const char* name(Call call) noexcept;

/// Whether one rank, the root, has a part of its own.
[[nodiscard]] constexpr bool has_root(Call call) noexcept {
  switch (call) {
    case Call::broadcast:
    case Call::reduce:
    case Call::gather:
    case Call::gatherv:
    case Call::scatter:
    case Call::scatterv: return true;
    default: return false;
  }
}

/// Whether elements are combined.
[[nodiscard]] constexpr bool reduces(Call call) noexcept {
  switch (call) {
    case Call::reduce:
    case Call::allreduce:
    case Call::reduce_scatter:
    case Call::reduce_scatter_block:
    case Call::scan:
    case Call::exscan: return true;
    default: return false;
  }
}

}  // namespace waybill::registry
