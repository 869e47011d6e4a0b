// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/finding_outlets.hpp"

#include <utility>

#include "recorder/json_lines.hpp"
#include "recorder/junit.hpp"
#include "recorder/report.hpp"
#include "recorder/suppression_file.hpp"

namespace waybill::runtime {

namespace {

/// The level at which a kind is watched for.
Check level_of(FindingKind kind) noexcept {
  switch (kind) {
    case FindingKind::dropped_handle:
    case FindingKind::overlapping_buffers:
    case FindingKind::unfinished_at_shutdown:
    case FindingKind::never_waited:
    case FindingKind::truncated:
    case FindingKind::short_message:
    case FindingKind::concurrent_collectives:
    case FindingKind::collective_mismatch:
    case FindingKind::stalled: return Check::basic;
    case FindingKind::send_buffer_modified:
    case FindingKind::recv_buffer_touched:
    case FindingKind::buffer_lifetime: break;
  }
  return Check::content;
}

std::array<bool, finding_kinds> watched_with(const Options& options) noexcept {
  std::array<bool, finding_kinds> watched{};
  for (std::size_t i = 0; i < finding_kinds; ++i) {
    watched[i] = options.check >= level_of(static_cast<FindingKind>(i));
  }
  // Not a matter of levels.
  watched[static_cast<std::size_t>(FindingKind::stalled)] = options.stall_timeout.count() > 0;
  watched[static_cast<std::size_t>(FindingKind::collective_mismatch)] = options.peer;
  return watched;
}

void add_prefix(const char* variable, std::string& problem) {
  if (!problem.empty()) problem = std::string(variable) + ": " + problem;
}

}  // namespace

std::unique_ptr<recorder::Outlets> make_outlets(const Options& options, int rank, int ranks,
                                                std::function<void(const Finding&)> afterwards,
                                                OutletProblems& problems) {
  auto& [suppressions_problem, directory_problem, junit_problem] = problems;
  recorder::SuppressionFile file;
  if (!options.suppressions_file.empty()) {
    file = recorder::read_suppressions(options.suppressions_file);
    suppressions_problem = file.error;
  }
  auto outlets = std::make_unique<recorder::Outlets>(
      recorder::OutletsOptions{.rank = rank,
                               .suppressions = std::move(file.suppressions),
                               .on_finding = options.on_finding,
                               .afterwards = std::move(afterwards)});
  if (options.report_text) outlets->add(std::make_unique<recorder::Report>());
  if (!options.report_directory.empty()) {
    outlets->add(std::make_unique<recorder::JsonLines>(
        options.report_directory, recorder::Origin{rank, ranks}, directory_problem));
  }
  if (!options.junit_file.empty()) {
    outlets->add(std::make_unique<recorder::JUnit>(
        recorder::JUnitOptions{options.junit_file, rank, watched_with(options)}, junit_problem));
  }
  add_prefix("WAYBILL_SUPPRESSIONS", suppressions_problem);
  add_prefix("WAYBILL_REPORT_DIR", directory_problem);
  add_prefix("WAYBILL_JUNIT", junit_problem);
  return outlets;
}

}  // namespace waybill::runtime
