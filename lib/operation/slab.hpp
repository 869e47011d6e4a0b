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

/// Free slots as a list, through the member that the engine uses for adopted ones.
struct FreeList {
  Operation* first = nullptr;
  std::size_t count = 0;

  void push(Operation& operation) noexcept {
    operation.next = first;
    first = &operation;
    ++count;
  }
  Operation& pop() noexcept {
    Operation& operation = *first;
    first = static_cast<Operation*>(operation.next);
    --count;
    return operation;
  }
};

/// What one thread has at hand.
struct ThreadSlots {
  FreeList free;
  std::uint64_t next_sequence = 1;  // of a block of numbers
  std::uint64_t end_of_block = 1;
};

/// The calling thread's; null before its first post and after its end.
extern constinit thread_local ThreadSlots* my_slots;

/// Makes sure that the calling thread has a free slot and a sequence number.
/// Throws std::bad_alloc.
ThreadSlots& refill();

/// A free slot, made the calling thread's, with the next sequence number. The rest
/// of its record is as after release(). Throws std::bad_alloc.
///
/// Posts of this process are numbered from 1. Threads take numbers in blocks:
/// with one thread they are consecutive.
inline Operation& acquire() {
  ThreadSlots* slots = my_slots;
  if (slots == nullptr || slots->free.first == nullptr ||
      slots->next_sequence == slots->end_of_block) [[unlikely]] {
    slots = &refill();
  }
  Operation& operation = slots->free.pop();
  operation.record.sequence = slots->next_sequence++;
  return operation;
}

constexpr std::size_t most_free_slots = 512;  // of one thread; more go to the others

/// Too many, or no list of this thread: gives slots to all threads.
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
  if (slots == nullptr || slots->free.count >= most_free_slots) [[unlikely]] {
    release_to_all(operation);
    return;
  }
  slots->free.push(operation);
}

/// All slots that are not free. Only while no other thread posts or waits.
void for_each_live(const std::function<void(Operation&)>& visit);

/// Slots ever made, for memory accounting and tests.
std::size_t slots() noexcept;

}  // namespace waybill::operation
