// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One way to tell people about findings.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "recorder/places.hpp"
#include "waybill/finding.hpp"

namespace waybill::recorder {

/// All that was found by this process, at its end.
struct Tally {
  int rank = 0;
  std::vector<Place> places;   ///< in order of their first finding
  Places::Counts elsewhere{};  ///< findings at places beyond Places::max_places, by kind
  /// What was not told: names of suppressions that did something, and how often.
  std::vector<std::pair<std::string, std::size_t>> suppressed;

  [[nodiscard]] std::size_t findings() const noexcept;
  [[nodiscard]] std::size_t findings_elsewhere() const noexcept;
  [[nodiscard]] std::size_t all_suppressed() const noexcept;
};

struct Outlet {
  Outlet() = default;
  Outlet(const Outlet&) = delete;
  Outlet& operator=(const Outlet&) = delete;
  virtual ~Outlet();

  /// Called by any thread, also by several at once, without a lock. What it throws
  /// is swallowed.
  virtual void tell(const Finding& finding, const Places::Seen& seen) = 0;

  /// Once, when no more findings are expected; one that comes all the same may be lost.
  virtual void end(const Tally& tally) = 0;
};

}  // namespace waybill::recorder
