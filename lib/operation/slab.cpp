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
  void take(FreeList& other, std::size_t most) noexcept {
    while (most-- > 0 && other.count > 0) push(other.pop());
  }
};

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

struct ThreadSlots {
  FreeList free;
  std::uint64_t next = 0;
  std::uint64_t end = 0;  // of the block of sequence numbers
};

constinit thread_local ThreadSlots* mine = nullptr;

ThreadSlots& claim() {
  // Goes back to the store when the thread ends.
  thread_local struct Owner {
    ThreadSlots slots;
    Owner() { mine = &slots; }
    ~Owner() {
      mine = nullptr;
      const std::lock_guard lock(store().mutex);
      store().free.take(slots.free, slots.free.count);
    }
  } owner;
  return owner.slots;
}

ThreadSlots& thread_slots() {
  if (mine == nullptr) [[unlikely]]
    return claim();
  return *mine;
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
  free.take(shared.free, batch);
}

}  // namespace

Operation& acquire() {
  FreeList& free = thread_slots().free;
  if (free.count == 0) [[unlikely]]
    refill(free);
  return free.pop();
}

void release(Operation& operation) noexcept {
  operation.keeper.reset();
  operation.failure.reset();
  operation.record.footprint.blocks.reset();
  // release pairs with the acquire in for_each_live()
  operation.generation.store(operation.generation.load(std::memory_order_relaxed) + 1,
                             std::memory_order_release);
  operation.state.store(State::free, std::memory_order_release);
  ThreadSlots* const slots = mine;
  if (slots == nullptr) [[unlikely]] {  // a thread that never posted, or is ending
    Store& shared = store();
    const std::lock_guard lock(shared.mutex);
    shared.free.push(operation);
    return;
  }
  slots->free.push(operation);
  if (slots->free.count > 4 * batch) [[unlikely]] {
    Store& shared = store();
    const std::lock_guard lock(shared.mutex);
    shared.free.take(slots->free, 2 * batch);
  }
}

std::uint64_t next_sequence() noexcept {
  ThreadSlots& slots = thread_slots();
  if (slots.next == slots.end) [[unlikely]] {
    slots.next = sequence_blocks.fetch_add(1, std::memory_order_relaxed) * sequence_block;
    slots.end = slots.next + sequence_block;
  }
  return ++slots.next;
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
