// SPDX-License-Identifier: BSD-3-Clause
#include "operation/slab.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace waybill::operation {

namespace {

constexpr std::size_t chunk_slots = 256;
constexpr std::size_t batch = 128;  // slots that move at once between threads
constexpr std::uint64_t sequence_block = 4096;

using Chunk = std::array<Operation, chunk_slots>;

void move_slots(FreeList& from, FreeList& to, std::size_t most) noexcept {
  while (most-- > 0 && from.count > 0) to.push(from.pop());
}

/// Shared by all threads. Never destroyed: handles may outlive main().
struct Store {
  std::mutex mutex;
  std::vector<Chunk*> chunks;
  FreeList free;
};

Store& store() {
  static Store* const instance = new Store;
  return *instance;
}

std::atomic<std::uint64_t> sequence_blocks{0};

ThreadSlots& claim() {
  // Goes back to the store when the thread ends.
  thread_local struct Owner {
    ThreadSlots slots;
    Owner() { my_slots = &slots; }
    ~Owner() {
      my_slots = nullptr;
      const std::lock_guard lock(store().mutex);
      move_slots(slots.free, store().free, slots.free.count);
    }
  } owner;
  return owner.slots;
}

void refill(FreeList& free) {
  Store& shared = store();
  const std::lock_guard lock(shared.mutex);
  if (shared.free.count == 0) {
    shared.chunks.reserve(shared.chunks.size() + 1);
    auto* chunk = new Chunk;
    shared.chunks.push_back(chunk);
    for (std::size_t i = chunk_slots; i-- > 0;) shared.free.push((*chunk)[i]);
  }
  move_slots(shared.free, free, batch);
}

}  // namespace

constinit thread_local ThreadSlots* my_slots = nullptr;

ThreadSlots& refill() {
  ThreadSlots& slots = my_slots == nullptr ? claim() : *my_slots;
  if (slots.free.count == 0) refill(slots.free);
  if (slots.next_sequence == slots.end_of_block) {
    slots.next_sequence =
        sequence_blocks.fetch_add(1, std::memory_order_relaxed) * sequence_block + 1;
    slots.end_of_block = slots.next_sequence + sequence_block;
  }
  return slots;
}

void let_go(Operation& operation) noexcept {
  operation.keeper.reset();
  operation.result.failure.reset();
  operation.record.footprint.blocks.reset();
}

void release_to_all(Operation& operation) noexcept {
  Store& shared = store();
  const std::lock_guard lock(shared.mutex);
  shared.free.push(operation);
  if (my_slots != nullptr) move_slots(my_slots->free, shared.free, most_free_slots / 2);
}

void for_each_live(const std::function<void(Operation&)>& visit) {
  std::vector<Chunk*> chunks;
  {
    const std::lock_guard lock(store().mutex);
    chunks = store().chunks;
  }
  for (Chunk* chunk : chunks) {
    for (Operation& operation : *chunk) {
      if (operation.state.load(std::memory_order_acquire) != State::free) visit(operation);
    }
  }
}

std::size_t slots() noexcept {
  const std::lock_guard lock(store().mutex);
  return store().chunks.size() * chunk_slots;
}

}  // namespace waybill::operation
