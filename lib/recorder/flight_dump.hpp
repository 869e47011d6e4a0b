// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A flight record as JSON; docs/flight-recorder.md is its schema.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recorder/flight_ring.hpp"
#include "recorder/safe_file.hpp"
#include "recorder/safe_json.hpp"

namespace waybill::recorder {

/// Of this process's CLOCK_MONOTONIC: add it to get that of rank 0.
struct ClockDifference {
  std::int64_t nanoseconds = 0;
  std::uint64_t error = 0;  ///< not more than this off, either way
};

/// Who writes the record.
struct FlightFacts {
  int rank = 0;  ///< in MPI_COMM_WORLD
  int size = 1;
  std::string host;
  std::string version;                   ///< of Waybill
  int process = 0;                       ///< its number in the operating system
  std::optional<ClockDifference> clock;  ///< none where it was not measured
};

struct FlightCommunicator {
  const char* name = "";  ///< lives as long as the process
  int rank = 0;
  int size = 0;
  std::vector<int> members;  ///< ranks in MPI_COMM_WORLD, in order; the first ones if many
};

/// The communicators that a record names. Made by any one thread at a time and read by
/// any, also in a signal handler; an entry never changes once it can be seen.
class FlightMembers {
 public:
  static constexpr std::size_t most_communicators = 256;
  static constexpr std::size_t most_members = 1024;  ///< of one communicator

  /// The first most_communicators are kept, others counted. Throws std::bad_alloc.
  void add(FlightCommunicator communicator);

  [[nodiscard]] std::size_t listed() const noexcept {
    // pairs with the release in add(): what is listed is complete
    return listed_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t unlisted() const noexcept {
    return unlisted_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] const FlightCommunicator& operator[](std::size_t index) const noexcept {
    return communicators_[index];
  }

 private:
  std::array<FlightCommunicator, most_communicators> communicators_;
  std::atomic<std::size_t> listed_{0};
  std::atomic<std::size_t> unlisted_{0};
};

/// Writes records, one at a time. All memory is inside, since the stack of a signal
/// handler may be small.
class FlightDump {
 public:
  FlightDump(const FlightRing& ring, const FlightFacts& facts, const FlightMembers& members)
      : ring_(ring), facts_(facts), members_(members) {}

  /// Appends the whole record. Safe in a signal handler.
  void write(SafeFile& file, const char* reason, std::uint64_t number) noexcept;

 private:
  /// The next event of one lane.
  struct Cursor {
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    std::uint64_t begin = 0;
    bool ready = false;  // event is one
    RecordedEvent event;
  };

  void write_head(SafeJson& json, const char* reason, std::uint64_t number) const noexcept;
  void write_communicators(SafeJson& json) const noexcept;
  void write_events(SafeJson& json) noexcept;
  void write_event(SafeJson& json, const RecordedEvent& recorded) const noexcept;
  void write_lanes(SafeJson& json) const noexcept;
  Cursor* earliest() noexcept;

  const FlightRing& ring_;
  const FlightFacts& facts_;
  const FlightMembers& members_;
  std::array<Cursor, FlightRing::lanes> cursors_;
  std::array<std::uint64_t, FlightRing::lanes> kept_{};
  std::optional<TickScale> scale_;
};

}  // namespace waybill::recorder
