// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The flight recorder of a Runtime, which starts first and stops last.

#include <memory>
#include <optional>
#include <string>

#include "recorder/flight_recorder.hpp"
#include "recorder/flight_signals.hpp"
#include "recorder/noted_findings.hpp"
#include "transport/mpi/session.hpp"
#include "waybill/options.hpp"

namespace waybill::runtime {

/// Whether it is on, and how many events it keeps of a thread; 0 if not.
[[nodiscard]] std::size_t recorder_entries(const Options& options) noexcept;

/// While it is on, signals write records. Made and ended by one thread.
class Flight {
 public:
  /// Collective over MPI_COMM_WORLD.
  Flight(const Options& options, const transport::mpi::Session& session, std::string& problem);
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;
  ~Flight() { end(); }

  /// Signals do what they did before, and no record is written any more.
  void end() noexcept;

  [[nodiscard]] recorder::FlightRecorder* recorder() const noexcept { return recorder_.get(); }

  /// A sink that notes findings before @p next, which outlives this, gets them; or @p next.
  registry::Sink& noting(registry::Sink& next);

 private:
  std::unique_ptr<recorder::FlightRecorder> recorder_;
  std::optional<recorder::NotedFindings> noted_;
  std::optional<recorder::FlightSignals> signals_;
};

}  // namespace waybill::runtime
