// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings as JUnit XML, for what shows results of tests; docs/reports.md describes it.

#include <array>
#include <chrono>
#include <string>

#include "recorder/outlet.hpp"

namespace waybill::recorder {

struct JUnitOptions {
  std::string file;  ///< `%r` in it stands for the rank; without, the rank is put in
  int rank = 0;
  /// Kinds that this run can find; the other test cases count as skipped.
  std::array<bool, finding_kinds> watched{};
};

/// A file per rank with a <testsuite> for each Runtime of the process, and in it a
/// <testcase> for each kind of finding. A file of an earlier run is removed at once;
/// the new one is written under another name and renamed at the end, so that none is
/// ever half-written.
class JUnit final : public Outlet {
 public:
  /// @p error is empty or one line, and then nothing is ever written.
  JUnit(JUnitOptions options, std::string& error);

  void tell(const Finding& /*finding*/, const Places::Seen& /*seen*/) override {}
  void end(const Tally& tally) override;

 private:
  [[nodiscard]] std::string suite(const Tally& tally) const;

  const JUnitOptions options_;
  const std::string path_;
  const std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
  bool usable_ = false;
};

/// `results.xml` is `results-3.xml` for rank 3, `%r/waybill.xml` is `3/waybill.xml`.
std::string name_with_rank(const std::string& file, int rank);

}  // namespace waybill::recorder
