// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Mistakes of asynchronous programs, made on purpose to show what Waybill says.

#include <memory>

#include "exchange.hpp"
#include "mistake.hpp"

namespace heat {

/// A halo exchange that makes the mistake in every step, towards one neighbour;
/// a right one for Mistake::none. It must live until the Runtime is shut down:
/// `missing-wait` holds the handles that nobody waits for.
[[nodiscard]] std::unique_ptr<HaloExchange> make_exchange(Mistake mistake,
                                                          const waybill::Communicator& world,
                                                          const Neighbours& neighbours);

}  // namespace heat
