// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A flight record as JSON; docs/flight-recorder.md is its schema.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "recorder/flight_members.hpp"
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
