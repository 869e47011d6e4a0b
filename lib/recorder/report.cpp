// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/report.hpp"

#include <fmt/format.h>

#include "recorder/whole_write.hpp"

namespace waybill::recorder {

namespace {

std::string headline(const Tally& tally) {
  const std::size_t all = tally.findings();
  const std::size_t suppressed = tally.all_suppressed();
  std::string text =
      fmt::format("waybill: {} {} on rank {}", all, all == 1 ? "finding" : "findings", tally.rank);
  if (suppressed > 0) text += fmt::format(", and {} suppressed", suppressed);
  return text + "\n";
}

}  // namespace

std::string block_of(const Finding& finding) {
  return fmt::format("waybill: {} on rank {}\n  {}\n  to do: {}\n", name(finding.kind),
                     finding.rank, finding.what, finding.advice);
}

void Report::tell(const Finding& finding, const Places::Seen& seen) {
  if (seen.count == 1 && seen.place < Places::max_places) {
    write_whole(descriptor_, block_of(finding));
  }
}

void Report::end(const Tally& tally) {
  if (tally.findings() == 0 && tally.suppressed.empty()) return;
  std::string block = headline(tally);
  for (const Place& place : tally.places) {
    block += fmt::format("  {} x {}\n", place.count, place.text());
  }
  if (const std::size_t further = tally.findings_elsewhere(); further > 0) {
    block += fmt::format("  {} x at further places\n", further);
  }
  for (const auto& [name, count] : tally.suppressed) {
    block += fmt::format("  {} x suppressed by {}\n", count, name);
  }
  write_whole(descriptor_, block);
}

}  // namespace waybill::recorder
