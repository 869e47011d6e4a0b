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

/// What one thread has at hand. `posts` and `returns` count down to zero, where
/// somebody has to look: so that nothing else need be checked before.
struct ThreadSlots {
  Operation* free = nullptr;         // through Adopted::next
  std::uint32_t posts = 0;           // for so many there are free slots and numbers
  std::uint32_t returns = 0;         // so many slots may come back
  std::uint64_t end_of_numbers = 0;  // the last post of these has the number before it
};

/// The calling thread's; before its first post and after its end, one for all
/// threads without slots and without room for any.
extern constinit thread_local ThreadSlots* my_slots;

/// Makes sure that the calling thread can post. Throws std::bad_alloc.
ThreadSlots& refill();

/// A free slot, made the calling thread's, with the next sequence number. The rest
/// of its record is as after release(). Throws std::bad_alloc.
///
/// Posts of this process are numbered from 1. Threads take numbers in blocks:
/// with one thread they are consecutive.
inline Operation& acquire() {
  ThreadSlots* slots = my_slots;
  if (slots->posts == 0) [[unlikely]]
    slots = &refill();
  Operation& operation = *slots->free;
  slots->free = static_cast<Operation*>(operation.next);
  operation.record.sequence = slots->end_of_numbers - slots->posts--;
  return operation;
}

constexpr std::size_t most_free_slots = 512;  // of one thread; more go to the others

/// Takes a slot where the calling thread cannot, or not without a look.
void release_to_all(Operation& operation) noexcept;

/// Frees what an unusual operation owns.
void let_go(Operation& operation) noexcept;

/// Ends the operation: every handle of it is stale from now on.
inline void release(Operation& operation) noexcept {
  if (operation.unusual) [[unlikely]]
    let_go(operation);
  // release pairs with the acquire in for_each_live()
  operation.generation.store(operation.generation.load(std::memory_order_relaxed) + 1,
                             std::memory_order_release);
  operation.state.store(State::free, std::memory_order_release);
  ThreadSlots* const slots = my_slots;
  if (slots->returns == 0) [[unlikely]] {
    release_to_all(operation);
    return;
  }
  --slots->returns;
  operation.next = slots->free;
  slots->free = &operation;
}

/// All slots that are not free. Only while no other thread posts or waits.
void for_each_live(const std::function<void(Operation&)>& visit);

/// Slots ever made, for memory accounting and tests.
std::size_t slots() noexcept;

}  // namespace waybill::operation
