// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/flight.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "transport/mpi/clock_offset.hpp"

namespace waybill::runtime {

namespace {

recorder::FlightFacts facts(const transport::mpi::Session& session) {
  const transport::mpi::ClockOffset clock = transport::mpi::clock_offset_to_rank_0();
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  recorder::FlightFacts result;
  result.rank = session.rank();
  result.size = session.size();
  result.host = host;
  result.version = WAYBILL_VERSION;
  result.process = getpid();
  result.clock = recorder::ClockDifference{clock.nanoseconds, clock.error};
  return result;
}

}  // namespace

std::size_t recorder_entries(const Options& options) noexcept {
  // Where posts take the longer way in any case.
  const bool deep = options.check >= Check::content || options.stall_timeout.count() > 0;
  return options.recorder_entries.value_or(deep ? recorder::FlightRing::default_entries : 0);
}

Flight::Flight(const Options& options, const transport::mpi::Session& session,
               std::string& problem) {
  const std::size_t entries = recorder_entries(options);
  // measuring the clocks takes all ranks, if one needs it
  if (session.lowest_rank_where(entries != 0) == session.size()) return;
  recorder::FlightFacts known = facts(session);
  if (entries == 0) return;
  try {
    recorder_ = std::make_unique<recorder::FlightRecorder>(
        recorder::FlightOptions{entries, options.report_directory, options.report_text},
        std::move(known));
  } catch (const std::bad_alloc&) {
    problem = fmt::format("no memory for a flight recorder of {} events", entries);
    return;
  }
  if (const std::string obstacle = recorder_->obstacle(); !obstacle.empty()) {
    problem = fmt::format("no flight record can be written to {}", obstacle);
  }
  recorder::set_running_recorder(recorder_.get());
  signals_.emplace();
}

void Flight::end() noexcept {
  signals_.reset();
  if (recorder_ == nullptr) return;
  // A thread that still writes after 2 s keeps what it writes from.
  if (!recorder::set_running_recorder(nullptr)) static_cast<void>(recorder_.release());
  recorder_.reset();
}

registry::Sink& Flight::noting(registry::Sink& next) {
  if (recorder_ == nullptr) return next;
  return noted_.emplace(recorder_->ring(), next);
}

}  // namespace waybill::runtime
