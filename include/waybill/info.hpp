// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a Runtime found on its machine.

#include <string>

#include "waybill/config.hpp"
#include "waybill/options.hpp"

namespace waybill {

struct Info {
  std::string mpi_library;                         ///< MPI_Get_library_version, first line
  std::string mpi_standard;                        ///< "3.1"
  ThreadLevel thread_level = ThreadLevel::single;  ///< as MPI gave it
  bool mpi_started_here = false;
  int tag_upper_bound = 0;
  std::string host;
  int ranks = 0;           ///< in MPI_COMM_WORLD
  int ranks_on_node = 0;   ///< that share this node's memory
  int cores_on_node = 0;   ///< cores the operating system has online
  int cores_allowed = 0;   ///< in this process's CPU mask
  std::string cpu_mask;    ///< as a list: "0-3,8"
  bool bound = false;      ///< the mask is smaller than the node
  int ranks_on_cores = 0;  ///< ranks on this node that share a core with this one, itself included
  bool oversubscribed = false;  ///< more ranks than cores where this one runs
  bool spare_core = false;      ///< a core is left for the background thread
  /// Who waits for a rank of this node that computes wakes its background thread,
  /// through shared memory; if not, why.
  bool wakes_neighbours = false;
  std::string no_wake_reason;
  /// Heap buffers that are freed while in flight are found; if not, why.
  bool sees_freed_buffers = false;
  std::string no_freed_reason;
};

/// Of the running Runtime; throws Errc::not_running if there is none.
[[nodiscard]] WAYBILL_API Info info();

}  // namespace waybill
