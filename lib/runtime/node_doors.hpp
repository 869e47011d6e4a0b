// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The doors of this node's processes, in the memory that they share.

#include <string>
#include <vector>

#include "engine/door.hpp"

namespace waybill::runtime {

struct NodeDoors {
  std::vector<int> processes;             ///< of this node, as ranks of MPI_COMM_WORLD
  std::vector<engine::Door*> neighbours;  ///< in the same order, null for this process; or empty
  engine::Door* own = nullptr;            ///< null where there are none
  std::string reason;                     ///< why there are none
};

/// The first call in a process is collective over MPI_COMM_WORLD.
NodeDoors node_doors();

}  // namespace waybill::runtime
