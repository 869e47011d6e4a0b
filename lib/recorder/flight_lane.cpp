// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_lane.hpp"

namespace waybill::recorder {

void FlightLane::use(FlightEntry* entries, std::uint64_t size, bool shared) noexcept {
  entries_ = entries;
  size_ = size;
  shared_ = shared;
  head_.store(0, std::memory_order_relaxed);
  last_dropped_sequence_.store(0, std::memory_order_relaxed);
  owner.store(0, std::memory_order_relaxed);
}

void FlightLane::write_among_others(const FlightEvent& event, std::uint64_t ticks,
                                    std::uint16_t thread) noexcept {
  const std::uint64_t number = head_.fetch_add(1, std::memory_order_relaxed);
  FlightEntry& entry = entries_[number & (size_ - 1)];
  const std::uint64_t mine = 2 * number + 1;
  std::uint64_t found = entry.stamp.load(std::memory_order_relaxed);
  const bool busy = (found & 1) != 0;
  // acquire pairs with the last writer's release: its words come before these
  if (busy || found > mine ||
      !entry.stamp.compare_exchange_strong(found, mine, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
    forget(event.sequence);  // lost: no entry has the stamp of its number
    return;
  }
  forget(entry.sequence.load(std::memory_order_relaxed));
  fill(entry, event, ticks, thread);
  // pairs with the acquire in read(): the words are seen with their stamp
  entry.stamp.store(mine + 1, std::memory_order_release);
}

bool FlightLane::read(std::uint64_t number, RecordedEvent& into) const noexcept {
  const FlightEntry& entry = entries_[number & (size_ - 1)];
  const std::uint64_t whole = 2 * number + 2;
  // pairs with the release of the writer's second stamp
  if (entry.stamp.load(std::memory_order_acquire) != whole) return false;
  FlightEvent& event = into.event;
  into.number = number;
  into.ticks = entry.ticks.load(std::memory_order_relaxed);
  event.sequence = entry.sequence.load(std::memory_order_relaxed);
  event.bytes = entry.bytes.load(std::memory_order_relaxed);
  event.communicator = entry.communicator.load(std::memory_order_relaxed);
  event.file = entry.file.load(std::memory_order_relaxed);
  const std::uint64_t peer_and_tag = entry.peer_and_tag.load(std::memory_order_relaxed);
  event.peer = static_cast<std::int32_t>(peer_and_tag >> 32);
  event.tag = static_cast<std::int32_t>(peer_and_tag);
  const std::uint64_t rest = entry.rest.load(std::memory_order_relaxed);
  event.line = static_cast<std::uint32_t>(rest >> 32);
  into.thread = static_cast<std::uint16_t>(rest >> 16);
  event.kind = static_cast<EventKind>(rest >> 8 & 0xFF);
  event.transfer = static_cast<Transfer>(rest & 0xFF);
  // pairs with the writer's fence: if a word was a later event's, so is the stamp
  std::atomic_thread_fence(std::memory_order_acquire);
  return entry.stamp.load(std::memory_order_relaxed) == whole;
}

}  // namespace waybill::recorder
