// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How rank 0 tells the others what to do and shares out the picture. Every
/// function is called by all ranks in the same order.

#include <vector>

#include "field.hpp"
#include "picture.hpp"
#include "plan.hpp"
#include "waybill/communicator.hpp"

namespace heat {

/// Rank 0's value on every rank.
[[nodiscard]] Plan share(const waybill::Communicator& world, Plan plan);
[[nodiscard]] Outcome share(const waybill::Communicator& world, Outcome outcome);

/// The worst outcome of all ranks, on every rank.
[[nodiscard]] Outcome agree(const waybill::Communicator& world, Outcome mine);

/// Fills each field's own cells from rank 0's picture, which the others leave empty.
void scatter(const waybill::Communicator& world, const Plan& plan, const Picture& picture,
             Field& field);

/// The inverse: fills `picture` on rank 0, which must have the right size there.
void gather(const waybill::Communicator& world, const Plan& plan, Field& field, Picture& picture);

/// Everybody's measurement on rank 0, by rank; empty elsewhere.
[[nodiscard]] std::vector<Measurement> gather(const waybill::Communicator& world,
                                              const Measurement& mine);

}  // namespace heat
