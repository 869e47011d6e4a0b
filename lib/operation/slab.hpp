// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where operations live: slots in chunks that are never given back to the
/// system, so that a stale handle can always look at its slot's generation.
///
/// Each thread keeps free slots of its own and exchanges them with the others in
/// batches; a post takes no lock and, once the slab is warm, no memory.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "operation/operation.hpp"

namespace waybill::operation {

/// A free slot, made the calling thread's. Its members are as after release().
/// Throws std::bad_alloc.
Operation& acquire();

/// Ends the operation: every handle of it is stale from now on.
void release(Operation& operation) noexcept;

/// Number of the next post of this process, from 1. Threads take numbers in
/// blocks: with one thread they are consecutive.
std::uint64_t next_sequence() noexcept;

/// All slots that are not free. Only while no other thread posts or waits.
void for_each_live(const std::function<void(Operation&)>& visit);

/// Slots ever made, for memory accounting and tests.
std::size_t slots() noexcept;

}  // namespace waybill::operation
