// SPDX-License-Identifier: BSD-3-Clause
#include "operation/slab.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <type_traits>
#include <vector>

#include "engine/at_thread_end.hpp"

namespace waybill::operation {

namespace {

constexpr std::size_t chunk_slots = 256;
constexpr std::size_t batch = 128;  // slots that move at once between threads
constexpr std::uint64_t sequence_block = 4096;

using Chunk = std::array<Operation, chunk_slots>;

/// Free slots, counted, through the member that the engine uses for adopted ones.
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

/// Never written: no post, no return.
constinit ThreadSlots nobody;

void give_back(FreeList& free, std::size_t most) noexcept {
  const std::lock_guard lock(store().mutex);
  move_slots(free, store().free, most);
}

void fetch(FreeList& free) {
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

/// The account behind one thread's slots. Without a destructor, since threads may
/// post until their very end.
class Account {
 public:
  /// Gives all back to the store. May be followed by more posts.
  void close() noexcept {
    my_slots = &nobody;
    FreeList free = settle();
    give_back(free, free.count);
    open({});
  }

  ThreadSlots& get_ready_to_post() {
    use_until_thread_ends();
    FreeList free = settle();
    try {
      if (free.count == 0) fetch(free);
    } catch (...) {
      open(free);
      throw;
    }
    if (next_number_ == end_of_block_) {
      const std::uint64_t block = sequence_blocks.fetch_add(1, std::memory_order_relaxed);
      next_number_ = block * sequence_block + 1;
      end_of_block_ = next_number_ + sequence_block;
    }
    open(free);
    return slots_;
  }

  void take_back(Operation& operation) noexcept {
    FreeList free = settle();
    free.push(operation);
    if (free.count > most_free_slots) give_back(free, most_free_slots / 2);
    open(free);
  }

 private:
  void use_until_thread_ends() noexcept {
    if (my_slots == &slots_) return;
    static const engine::AtThreadEnd thread_end(
        [](void* account) { static_cast<Account*>(account)->close(); });
    my_slots = &slots_;
    thread_end.arm(this);
  }

  /// Works out what happened since open().
  FreeList settle() noexcept {
    next_number_ = slots_.end_of_numbers - slots_.posts;
    const std::size_t posted = posts_ - slots_.posts;
    const std::size_t returned = returns_ - slots_.returns;
    return {slots_.free, count_ + returned - posted};
  }

  void open(const FreeList& free) noexcept {
    count_ = free.count;
    posts_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(free.count, end_of_block_ - next_number_));
    returns_ = static_cast<std::uint32_t>(most_free_slots - free.count);
    slots_ = {free.first, posts_, returns_, next_number_ + posts_};
  }

  ThreadSlots slots_;
  std::size_t count_ = 0;  // of free slots, at open()
  std::uint32_t posts_ = 0;
  std::uint32_t returns_ = 0;
  std::uint64_t next_number_ = 0;
  std::uint64_t end_of_block_ = 0;
};

constinit thread_local Account my_account;
static_assert(std::is_trivially_destructible_v<Account>);

}  // namespace

constinit thread_local ThreadSlots* my_slots = &nobody;

ThreadSlots& refill() { return my_account.get_ready_to_post(); }

void let_go(Operation& operation) noexcept {
  operation.keeper.reset();
  operation.result.failure.reset();
  operation.record.footprint.blocks.reset();
}

void release_to_all(Operation& operation) noexcept {
  if (my_slots != &nobody) {
    my_account.take_back(operation);
    return;
  }
  Store& shared = store();
  const std::lock_guard lock(shared.mutex);
  shared.free.push(operation);
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
