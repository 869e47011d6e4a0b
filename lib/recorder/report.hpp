// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings as text: each place once, and the counts at the end.

#include <string>

#include "recorder/outlet.hpp"

namespace waybill::recorder {

/// A mistake in a loop is one block of text: findings of one place are told in full
/// the first time and then only counted. Each block goes out in one write(2), so
/// that those of several processes do not mix.
class Report final : public Outlet {
 public:
  /// @p descriptor is stderr; not owned.
  explicit Report(int descriptor = 2) : descriptor_(descriptor) {}

  void tell(const Finding& finding, const Places::Seen& seen) override;

  /// One line per place; nothing if there was no finding.
  void end(const Tally& tally) override;

 private:
  const int descriptor_;
};

/// `dropped-handle on rank 0` and its explanation, in three lines.
std::string block_of(const Finding& finding);

}  // namespace waybill::recorder
