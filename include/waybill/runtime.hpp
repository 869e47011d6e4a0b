// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Start and end of Waybill in a process.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "waybill/communicator.hpp"
#include "waybill/config.hpp"
#include "waybill/finding.hpp"
#include "waybill/options.hpp"

namespace waybill {

class RuntimeState;

/// Holds Waybill running. Construction and shutdown are collective over
/// MPI_COMM_WORLD and must be done by one thread, the one that initialised MPI.
///
/// The constructor starts MPI if nobody has, and then shutdown finalises it;
/// an MPI that the application started is left to the application. One Runtime
/// at a time: a second one throws Errc::already_running. A bad value in a
/// WAYBILL_* variable ends the job with one line and exit status 2; a bad value
/// in Options throws Errc::invalid_option.
///
/// The destructor is shutdown() without exceptions. If it runs because an
/// exception unwinds the stack in a process that started MPI, the other ranks may
/// be waiting for this one for ever: it then waits for them for no longer than
/// Options::shutdown_timeout (1 s at least) and ends the job with status 1.
class WAYBILL_API Runtime {
 public:
  explicit Runtime(const Options& options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

  /// Lets operations in flight complete for at most Options::shutdown_timeout,
  /// reports the rest as `unfinished-at-shutdown` and completed ones that nobody
  /// looked at as `never-waited`, prints the summary of findings and ends MPI if
  /// it was started here. A second call does nothing. With
  /// FindingPolicy::throw_error it then throws a finding that no call has thrown.
  void shutdown();

  [[nodiscard]] Communicator world() const { return Communicator::world(); }
  [[nodiscard]] Communicator self() const { return Communicator::self(); }

  /// Writes down what the flight recorder remembers, as waybill-flight-RANK.json in
  /// Options::report_directory; docs/flight-recorder.md explains it. Returns its path, or
  /// nothing if the recorder is off or could not write. Any thread, any number of times;
  /// a later record replaces an earlier one.
  std::string write_flight_record(const std::string& reason = "request");

  [[nodiscard]] static bool running() noexcept;
  [[nodiscard]] ThreadLevel thread_level() const noexcept;  ///< as MPI gave it
  [[nodiscard]] bool progress_thread() const noexcept;      ///< whether one runs
  [[nodiscard]] std::size_t findings() const noexcept;      ///< so far, in this process
  [[nodiscard]] std::size_t findings(FindingKind kind) const noexcept;
  [[nodiscard]] std::size_t in_flight() const noexcept;  ///< operations not yet complete
  [[nodiscard]] const std::vector<Setting>& settings() const noexcept;

 private:
  std::unique_ptr<RuntimeState> state_;
};

}  // namespace waybill
