// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_ring.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace waybill::recorder {

namespace {

constinit std::atomic<std::uint32_t> rings{0};  // ever made

/// The one mapping, and how large a ring it holds.
struct Storage {
  FlightEntry* entries = nullptr;
  std::size_t size = 0;
};
constinit Storage storage;  // by the thread that makes rings
constinit std::array<FlightLane, FlightRing::lanes> all_lanes;

/// All zero.
FlightEntry* entries_for(std::size_t size) {
  const std::size_t bytes = size * sizeof(FlightEntry);
  if (size <= storage.size) {
    // Private pages without a file read as zeros afterwards (madvise(2)).
    if (madvise(storage.entries, bytes, MADV_DONTNEED) == 0) return storage.entries;
  }
  // An earlier, smaller one stays: somebody may be reading it. Sizes are powers of two.
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  storage = {static_cast<FlightEntry*>(memory), size};  // zeros are an entry without an event
  return storage.entries;
}

std::uint64_t owner_of(const FlightPlace& place) noexcept {
  return std::uint64_t{place.ring} << 32 | (place.thread + 1U);
}

void leave(void* place) noexcept {
  auto& mine = *static_cast<FlightPlace*>(place);
  std::uint64_t owner = owner_of(mine);  // else it is another ring's, or shared
  // release pairs with the acquire in take_place(): the next owner continues after
  // these events
  mine.lane->owner.compare_exchange_strong(owner, 0, std::memory_order_release,
                                           std::memory_order_relaxed);
  mine = {};
}

/// When a thread ends, behind its thread_local objects, which may still post. POSIX
/// calls it again for who comes later still.
pthread_key_t key_at_thread_end() noexcept {
  pthread_key_t key{};
  static_cast<void>(pthread_key_create(&key, leave));
  return key;
}

}  // namespace

constinit thread_local FlightPlace my_flight_place;

std::size_t FlightRing::rounded(std::size_t entries) noexcept {
  return std::bit_ceil(std::clamp(entries, least_entries, most_entries));
}

FlightRing::FlightRing(std::size_t entries)
    : entries_(rounded(entries)), number_(rings.fetch_add(1, std::memory_order_relaxed) + 1) {
  FlightEntry* const first = entries_for(entries_ * lanes);
  for (std::size_t i = 0; i < lanes; ++i) {
    all_lanes[i].use(first + i * entries_, entries_, i + 1 == lanes);
  }
}

const FlightLane& FlightRing::lane(std::size_t index) noexcept { return all_lanes[index]; }

void FlightRing::take_place() noexcept {
  static const pthread_key_t key = key_at_thread_end();
  FlightPlace place;
  place.ring = number_;
  place.thread = static_cast<std::uint16_t>(threads_.fetch_add(1, std::memory_order_relaxed));
  place.lane = &all_lanes[lanes - 1];
  for (std::size_t i = 0; i + 1 < lanes; ++i) {
    std::uint64_t nobody = 0;
    // acquire pairs with the release in leave(): the former owner's events are seen
    if (all_lanes[i].owner.compare_exchange_strong(
            nobody, owner_of(place), std::memory_order_acquire, std::memory_order_relaxed)) {
      place.lane = &all_lanes[i];
      break;
    }
  }
  my_flight_place = place;
  // without a key the lane stays taken, and later threads share one the sooner
  static_cast<void>(pthread_setspecific(key, &my_flight_place));
}

}  // namespace waybill::recorder
