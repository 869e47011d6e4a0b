// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Settings of a Runtime. Each is also an environment variable, which wins over
/// the program's value, so that a batch job can be changed without recompiling.
/// docs/environment.md lists them.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "waybill/config.hpp"
#include "waybill/finding.hpp"

namespace waybill {

/// What the registry watches. WAYBILL_CHECK.
enum class Check : std::uint8_t {
  off,      ///< handles only
  basic,    ///< dropped handles, overlaps, unfinished, never waited, truncated, short
  content,  ///< also: the bytes of buffers in flight are compared
  guard,    ///< also: the pages of buffers in flight are protected
};

/// Who moves messages while the program computes. WAYBILL_PROGRESS.
enum class Progress : std::uint8_t {
  thread,      ///< a background thread, while nobody waits
  inline_only  ///< only calls into Waybill ("inline")
};

/// How the background thread shares a core with a computation, where it has none of
/// its own. WAYBILL_RESPONSIVENESS.
enum class Responsiveness : std::uint8_t {
  yield,  ///< gives way to the computation; ranks of this node wake it when they wait
  nap     ///< looks every 100 us as well, at a cost to the computation
};

/// How a waiting thread behaves between two looks. WAYBILL_WAIT.
enum class WaitMode : std::uint8_t {
  automatic,  ///< "auto": spin with a core per thread, else yield
  spin,
  yield
};

/// What follows a finding, once it is reported. WAYBILL_ON_FINDING.
enum class FindingPolicy : std::uint8_t {
  report,       ///< the program goes on
  throw_error,  ///< "throw": the call that found it throws Errc::finding
  abort_job,    ///< "abort": the job ends
};

/// What follows once stalls are told. WAYBILL_ON_STALL.
enum class StallPolicy : std::uint8_t {
  report,     ///< the operation goes on
  abort_job,  ///< "abort": the job ends
};

/// MPI's thread level to ask for when the Runtime starts MPI. WAYBILL_THREAD_LEVEL.
enum class ThreadLevel : std::uint8_t { single, funneled, serialized, multiple };

struct Options {
  Check check = Check::basic;
  /// Ranks compare their collective calls before MPI sees them, at any level; the same on all
  /// ranks. ",peer" behind the level in WAYBILL_CHECK.
  bool peer = false;
  Progress progress = Progress::thread;
  Responsiveness responsiveness = Responsiveness::yield;
  WaitMode wait = WaitMode::automatic;
  ThreadLevel thread_level = ThreadLevel::multiple;
  /// How long shutdown waits for operations in flight. WAYBILL_SHUTDOWN_TIMEOUT, in
  /// seconds ("2.5") or with a unit ("250ms", "5s").
  std::chrono::milliseconds shutdown_timeout{5000};
  /// An operation in flight for longer is reported as `stalled`, and goes on; 0: none is.
  /// WAYBILL_STALL_TIMEOUT, as above, or "off".
  std::chrono::milliseconds stall_timeout{0};
  StallPolicy stall_policy = StallPolicy::report;  ///< WAYBILL_ON_STALL=report|abort
  /// At level content, receives of up to so many bytes land in memory of Waybill's first, so
  /// that writes of the program into their buffers are seen. WAYBILL_SHADOW_LIMIT.
  std::size_t shadow_limit = std::size_t{64} << 10U;
  /// At level content, how many bytes of a larger send buffer are compared, in blocks of 1 KiB
  /// chosen by chance; 0: all. WAYBILL_SAMPLE.
  std::size_t sample = 0;
  /// Events that the flight recorder keeps of each thread, a power of two or rounded up
  /// to one; 0 for none. Not set: 4,096 at level content and
  /// above and with a stall time-out, else none.
  /// WAYBILL_RECORDER=auto|off|64 to 65536.
  std::optional<std::size_t> recorder_entries = std::nullopt;
  /// Findings and the summary as text on stderr. WAYBILL_REPORT=text|none.
  bool report_text = true;
  FindingPolicy finding_policy = FindingPolicy::report;
  /// A process with findings does not end with status 0, and a mistake in what
  /// follows ends the job. WAYBILL_STRICT=off|on.
  bool strict = false;
  /// Folder for one file of JSON lines per rank; none if empty. WAYBILL_REPORT_DIR.
  std::string report_directory{};
  /// JUnit XML for test suites, a file per rank; none if empty. WAYBILL_JUNIT.
  std::string junit_file{};
  /// Findings not to be told; none if empty. WAYBILL_SUPPRESSIONS.
  std::string suppressions_file{};
  /// Called once per finding, on the thread that found it; must not throw and
  /// must not call Waybill.
  std::function<void(const Finding&)> on_finding = nullptr;
};

/// One setting in force, for people: waybill-info prints these.
struct Setting {
  std::string variable;  ///< WAYBILL_...
  std::string value;
  std::string allowed;
  std::string origin;  ///< "default", "program" or "environment"
};

}  // namespace waybill
