// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Tells people about findings: each place once, and the counts at the end.

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "registry/sink.hpp"

namespace waybill::recorder {

struct ReportOptions {
  bool text = true;    ///< blocks and summary on the descriptor
  int descriptor = 2;  ///< stderr; not owned
  /// Once per finding, outside any lock. What it throws is swallowed.
  std::function<void(const Finding&)> on_finding = nullptr;
};

/// A mistake in a loop is one block of text: findings of one kind from one place
/// (both places, for an overlap) are told in full the first time and then only
/// counted. Each block goes out in one write(2), so that those of several
/// processes do not mix. Any number of threads at once. Memory is bounded: after
/// max_places different places, further ones are counted together.
class Report final : public registry::Sink {
 public:
  static constexpr std::size_t max_places = 4096;

  explicit Report(ReportOptions options = {});

  void report(Finding&& finding) noexcept override;

  /// Findings so far.
  [[nodiscard]] std::size_t count() const noexcept;
  [[nodiscard]] std::size_t count(FindingKind kind) const noexcept;

  /// One line per place; nothing if there was no finding. Call it once, at the end.
  void summary() noexcept;

 private:
  struct Place {
    std::string text;  // kind, file and line, for the summary
    std::size_t count = 0;
  };

  bool remember(const Finding& finding);
  void write_block(const std::string& block) const noexcept;

  const ReportOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, std::size_t> place_numbers_;
  std::vector<Place> places_;  // in order of their first finding
  std::array<std::size_t, finding_kinds> counts_{};
  std::size_t elsewhere_ = 0;  // findings beyond max_places
  int rank_ = 0;
};

}  // namespace waybill::recorder
