// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings as events of the flight recorder.

#include <utility>

#include "recorder/flight_ring.hpp"
#include "registry/sink.hpp"

namespace waybill::recorder {

/// Notes each finding, and hands it on.
class NotedFindings final : public registry::Sink {
 public:
  /// Both outlive it.
  NotedFindings(FlightRing& ring, registry::Sink& next) noexcept : ring_(ring), next_(next) {}

  void report(Finding&& finding) noexcept override {
    FlightEvent event;
    event.kind = EventKind::finding;
    event.bytes = static_cast<std::uint64_t>(finding.kind);
    event.file = finding.site.file;
    event.line = finding.site.line;
    ring_.note(event);
    next_.report(std::move(finding));
  }

 private:
  FlightRing& ring_;
  registry::Sink& next_;
};

}  // namespace waybill::recorder
