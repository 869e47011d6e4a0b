// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The bytes that an MPI_Datatype touches, found by taking it apart
/// (MPI 3.1 section 4.1.13: MPI_Type_get_envelope and MPI_Type_get_contents).

#include <mpi.h>

#include <memory>

#include "registry/block_list.hpp"

namespace waybill::transport::mpi {

/// Remembered on the datatype itself as an attribute, so that it cannot outlive
/// it or be taken for another type's. Null if the type is too ragged to be worth
/// it (more than max_blocks pieces) or of a kind that is not known; the buffer is
/// then not watched, since a guess would be a false alarm.
std::shared_ptr<const registry::BlockList> block_list(MPI_Datatype type);

inline constexpr std::size_t max_blocks = std::size_t{1} << 18;

/// Gives the attribute key back; before MPI is finalised.
void forget_type_maps() noexcept;

}  // namespace waybill::transport::mpi
