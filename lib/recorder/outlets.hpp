// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The way of every finding: suppressed; or counted, told by all outlets and the
/// program's callback, and then followed by what the policy asks for.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "recorder/outlet.hpp"
#include "recorder/suppression.hpp"
#include "registry/sink.hpp"

namespace waybill::recorder {

struct OutletsOptions {
  int rank = 0;
  std::vector<Suppression> suppressions;
  /// Once per finding, outside any lock. What it throws is swallowed.
  std::function<void(const Finding&)> on_finding = nullptr;
  /// After all of that. Must not throw; may not return.
  std::function<void(const Finding&)> afterwards = nullptr;
};

/// Any number of threads at once.
class Outlets final : public registry::Sink {
 public:
  explicit Outlets(OutletsOptions options);

  /// Only before the first finding.
  void add(std::unique_ptr<Outlet> outlet);

  void report(Finding&& finding) noexcept override;

  /// Findings so far, without suppressed ones.
  [[nodiscard]] std::size_t count() const noexcept { return places_.count(); }
  [[nodiscard]] std::size_t count(FindingKind kind) const noexcept { return places_.count(kind); }

  /// Ends every outlet; a second call does nothing.
  void end() noexcept;

 private:
  [[nodiscard]] bool suppress(const Finding& finding) noexcept;
  [[nodiscard]] Tally tally() const;

  const OutletsOptions options_;
  std::vector<std::atomic<std::size_t>> suppressed_;  // by suppression
  std::vector<std::unique_ptr<Outlet>> outlets_;
  Places places_;
  std::atomic<bool> ended_{false};
};

}  // namespace waybill::recorder
