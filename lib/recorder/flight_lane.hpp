// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The last events of one thread, or of several that share a lane.
///
/// Protocol. Events of a lane are numbered from 0; event n lies in entry n modulo the
/// number of entries, a power of two. An entry's stamp says what it holds: 0 nothing,
/// 2n + 1 event n is being written, 2n + 2 event n is whole.
///
/// Writing (wait-free): take a number; stamp 2n + 1; fence; words; stamp 2n + 2. In a
/// lane of its own a thread does so with plain loads and stores. A signal handler that
/// writes in between takes the next number. In a shared lane the number comes from a
/// fetch_add, and the entry is taken by a compare-and-swap of its stamp: who finds it
/// under another writer's hands, or with a later event, leaves it alone and counts
/// its own event as lost.
///
/// Reading beside writers: stamp, words, fence, stamp. An event is whole if both stamps
/// are the one of its number. Others are left out: they are being written, were lost,
/// or a later event took their place. All words are atomic, so that this is no race.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "recorder/flight_event.hpp"

namespace waybill::recorder {

struct alignas(64) FlightEntry {
  std::atomic<std::uint64_t> stamp{0};
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> sequence{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<const char*> communicator{nullptr};
  std::atomic<const char*> file{nullptr};
  std::atomic<std::uint64_t> peer_and_tag{0};
  std::atomic<std::uint64_t> rest{0};  // line, thread, kind, transfer
};
static_assert(sizeof(FlightEntry) == 64);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// Any number of readers, in signal handlers too.
class alignas(64) FlightLane {
 public:
  /// @p entries of a power of two, all zero; not owned.
  void use(FlightEntry* entries, std::uint64_t size, bool shared) noexcept;

  /// By the lane's thread, or of a shared lane by any.
  [[gnu::always_inline]] void write(const FlightEvent& event, std::uint64_t ticks,
                                    std::uint16_t thread) noexcept {
    if (shared_) [[unlikely]]
      return write_among_others(event, ticks, thread);
    const std::uint64_t number = head_.load(std::memory_order_relaxed);
    head_.store(number + 1, std::memory_order_relaxed);
    FlightEntry& entry = entries_[number & (size_ - 1)];
    forget(entry.sequence.load(std::memory_order_relaxed));
    entry.stamp.store(2 * number + 1, std::memory_order_relaxed);
    fill(entry, event, ticks, thread);
    // pairs with the acquire in read(): the words are seen with their stamp
    entry.stamp.store(2 * number + 2, std::memory_order_release);
  }

  /// Numbers taken so far: the next event's number.
  [[nodiscard]] std::uint64_t end() const noexcept {
    // nothing to pair with: the stamps decide what is whole
    return head_.load(std::memory_order_relaxed);
  }
  /// The first event that was not overwritten when @p end was asked.
  [[nodiscard]] std::uint64_t begin(std::uint64_t end) const noexcept {
    return end > size_ ? end - size_ : 0;
  }
  /// Whether event @p number is whole, which is then stored.
  bool read(std::uint64_t number, RecordedEvent& into) const noexcept;

  /// The largest operation number of an event that was overwritten or lost. Everything known of
  /// operations beyond it is still in this lane.
  [[nodiscard]] std::uint64_t last_dropped_sequence() const noexcept {
    return last_dropped_sequence_.load(std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> owner{0};  ///< which thread writes; see FlightRing

 private:
  [[gnu::noinline]] void write_among_others(const FlightEvent& event, std::uint64_t ticks,
                                            std::uint16_t thread) noexcept;

  /// An event of this operation goes. Of two threads that say so at once in a shared
  /// lane the smaller number may win; the next event that goes mends that.
  void forget(std::uint64_t sequence) noexcept {
    if (sequence > last_dropped_sequence_.load(std::memory_order_relaxed)) {
      last_dropped_sequence_.store(sequence, std::memory_order_relaxed);
    }
  }

  static void fill(FlightEntry& entry, const FlightEvent& event, std::uint64_t ticks,
                   std::uint16_t thread) noexcept {
    // pairs with the acquire fence in read(): who sees one of these words sees that the
    // entry is being written
    std::atomic_thread_fence(std::memory_order_release);
    entry.ticks.store(ticks, std::memory_order_relaxed);
    entry.sequence.store(event.sequence, std::memory_order_relaxed);
    entry.bytes.store(event.bytes, std::memory_order_relaxed);
    entry.communicator.store(event.communicator, std::memory_order_relaxed);
    entry.file.store(event.file, std::memory_order_relaxed);
    entry.peer_and_tag.store(std::uint64_t{static_cast<std::uint32_t>(event.peer)} << 32 |
                                 static_cast<std::uint32_t>(event.tag),
                             std::memory_order_relaxed);
    entry.rest.store(std::uint64_t{event.line} << 32 | std::uint64_t{thread} << 16 |
                         std::uint64_t{static_cast<std::uint8_t>(event.kind)} << 8 |
                         static_cast<std::uint8_t>(event.transfer),
                     std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> head_{0};
  FlightEntry* entries_ = nullptr;
  std::uint64_t size_ = 0;
  std::atomic<std::uint64_t> last_dropped_sequence_{0};
  bool shared_ = false;
};

}  // namespace waybill::recorder
