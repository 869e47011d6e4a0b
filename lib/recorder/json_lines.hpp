// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings as JSON lines, one file per rank; docs/reports.md has the schema.

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "recorder/outlet.hpp"

namespace waybill::recorder {

/// Whose findings these are.
struct Origin {
  int rank = 0;
  int ranks = 1;
};

/// The 1st, 10th, 100th ... finding of a place gets a line, and at the end one tells
/// of the rest, so that the file stays small whatever a loop does. Each line is one
/// write(2); if one cannot be written whole it is taken back, and nothing more is
/// written. The file is valid at any moment.
class JsonLines final : public Outlet {
 public:
  /// Makes the folder, unless it is there, and the file in it, in place of one of an
  /// earlier run; a later one of the same process goes on with it. Rank 0 removes
  /// files of ranks that this job has not. @p error is empty or one line, and then
  /// nothing is ever written.
  JsonLines(const std::string& folder, Origin origin, std::string& error);
  ~JsonLines() override;

  void tell(const Finding& finding, const Places::Seen& seen) override;
  void end(const Tally& tally) override;

 private:
  void write(const Finding& finding, std::size_t place, std::size_t count);
  void append(const std::string& line);

  const Origin origin_;
  const std::string path_;
  std::mutex mutex_;  // guards what follows
  int file_ = -1;
  std::vector<std::size_t> told_;  // by place, how many
};

/// One finding, or several of its place, as an object in one line with its end.
std::string json_line(const Finding& finding, int ranks, std::size_t count);

}  // namespace waybill::recorder
