// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The flight recorder of a process: what it remembers, and when it writes that down.

#include <cstddef>
#include <cstdint>
#include <string>

#include "recorder/flight_dump.hpp"
#include "recorder/flight_ring.hpp"
#include "recorder/one_writer.hpp"
#include "recorder/safe_file.hpp"

namespace waybill::recorder {

struct FlightOptions {
  std::size_t entries = FlightRing::default_entries;
  std::string directory;  ///< the current one if empty, as it is now
  bool text = true;       ///< a line on stderr for each record
};

/// Writes waybill-flight-RANK.json, which a later record of the same rank replaces in
/// one step. One recorder at a time; a child made by fork() writes nothing.
class FlightRecorder {
 public:
  /// Throws std::bad_alloc. Whether the directory can be written to is seen later.
  FlightRecorder(const FlightOptions& options, FlightFacts facts);
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;
  /// It must not be the running one any more.
  ~FlightRecorder() = default;

  [[nodiscard]] FlightRing& ring() noexcept { return ring_; }
  [[nodiscard]] FlightMembers& members() noexcept { return members_; }
  [[nodiscard]] const char* path() const noexcept { return file_.path(); }

  /// Why no record can be written there, or empty.
  [[nodiscard]] std::string obstacle() const;

  /// See write_flight_record().
  bool write(const char* reason, const OneWriter& writer) noexcept;

 private:
  void say(const char* reason, bool written) const noexcept;

  FlightRing ring_;
  FlightFacts facts_;
  FlightMembers members_;
  FlightDump dump_;
  SafeFile file_;
  const bool text_;
  std::uint64_t records_ = 0;  // by who writes
};

/// Makes @p recorder, of this process, the one that write_flight_record() means; null
/// for none. Returns when nobody is writing a record any more; false if that lasts 2 s.
bool set_running_recorder(FlightRecorder* recorder) noexcept;

/// Writes a record of the running recorder; false if there is none or it could not.
/// @p reason is a string that lives until it returns. Safe in a signal handler, in any
/// thread, and while another record is written: then it waits for that for at most 2 s,
/// or, in a handler that interrupted that very thread, does nothing. Takes no lock.
bool write_flight_record(const char* reason) noexcept;

}  // namespace waybill::recorder
