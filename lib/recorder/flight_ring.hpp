// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The last events of this process: a lane for each thread, so that writing one takes
/// no locked instruction.
///
/// The first 15 threads that are alive at a time have lanes of their own; further ones
/// share the last. A thread that ends leaves its lane, with what it wrote, to the next
/// one that comes.
///
/// Memory: size() entries of 64 B in each of 16 lanes, as address space; the kernel
/// gives the memory when a lane is written to. It is never given back, since a thread
/// that ends or a signal handler may come late: the next ring uses it again.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "recorder/flight_event.hpp"
#include "recorder/flight_lane.hpp"
#include "recorder/ticks.hpp"

namespace waybill::recorder {

/// The calling thread's place in the ring of the moment.
struct FlightPlace {
  FlightLane* lane = nullptr;
  std::uint32_t ring = 0;  ///< the number of the ring that it belongs to
  std::uint16_t thread = 0;
};
extern constinit thread_local FlightPlace my_flight_place;

/// One at a time in a process. Any number of threads write and read at once; nothing
/// waits.
class FlightRing {
 public:
  static constexpr std::size_t default_entries = 4096;
  static constexpr std::size_t least_entries = 64;
  static constexpr std::size_t most_entries = 65536;
  static constexpr std::size_t lanes = 16;  ///< the last one is shared

  /// @p entries of a lane, rounded up to a power of two within the bounds. Throws
  /// std::bad_alloc.
  explicit FlightRing(std::size_t entries = default_entries);
  FlightRing(const FlightRing&) = delete;
  FlightRing& operator=(const FlightRing&) = delete;
  ~FlightRing() = default;

  /// The first call of a thread takes a lane, and perhaps a system call; others take
  /// some 60 instructions.
  [[gnu::always_inline]] void note(const FlightEvent& event) noexcept {
    FlightPlace& place = my_flight_place;
    if (place.ring != number_) [[unlikely]]
      take_place();
    place.lane->write(event, ticks_.now(), place.thread);
  }

  [[nodiscard]] std::size_t entries() const noexcept { return entries_; }
  [[nodiscard]] const Ticks& ticks() const noexcept { return ticks_; }
  [[nodiscard]] static const FlightLane& lane(std::size_t index) noexcept;

  [[nodiscard]] static std::size_t rounded(std::size_t entries) noexcept;

 private:
  void take_place() noexcept;

  const std::size_t entries_;
  const std::uint32_t number_;
  const Ticks ticks_;
  std::atomic<std::uint32_t> threads_{0};  // that ever came
};

}  // namespace waybill::recorder
