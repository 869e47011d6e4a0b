// SPDX-License-Identifier: BSD-3-Clause
#include "launched.hpp"

#include <cstdlib>

namespace bench {

std::optional<int> launched_rank() {
  // Not SLURM_PROCID, which a batch script has too.
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"}) {
    if (const char* rank = std::getenv(name)) return std::atoi(rank);
  }
  return std::nullopt;
}

}  // namespace bench
