// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What MPI and the operating system say of this process and its node.

#include "waybill/info.hpp"

namespace waybill::transport::mpi {

/// Collective over MPI_COMM_WORLD. Fills in everything but thread_level,
/// mpi_started_here and tag_upper_bound.
[[nodiscard]] Info gather_facts();

}  // namespace waybill::transport::mpi
