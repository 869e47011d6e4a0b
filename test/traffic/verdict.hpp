// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What was wrong in this process, and what Waybill found in it.

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "waybill/finding.hpp"

namespace traffic {

/// A finding about a step of a plan.
struct StepFinding {
  waybill::FindingKind kind;
  bool is_send;
  std::size_t step;
  std::size_t other;  ///< of the second post, 0 if there is none

  bool operator==(const StepFinding&) const = default;
};

[[nodiscard]] std::string describe(const StepFinding& finding);

/// Any thread may call anything.
class Verdict {
 public:
  /// From here on complaints name this plan, and there are none yet.
  void begin(const std::string& plan, int rank);

  /// Counts what is wrong and prints it: `seed 17, step 5 (receive on rank 2): ...`
  void complain(std::size_t step, bool is_send, const std::string& what);
  void found(const waybill::Finding& finding);

  /// What the thread does from now on, in case it does not end.
  void at(int thread, std::size_t step) { steps_[static_cast<std::size_t>(thread) % most] = step; }
  [[nodiscard]] std::string steps() const;

  [[nodiscard]] std::size_t complaints() const;
  [[nodiscard]] std::vector<StepFinding> findings() const;

 private:
  static constexpr std::size_t most = 64;
  std::array<std::atomic<std::size_t>, most> steps_{};
  mutable std::mutex mutex_;
  std::string plan_;
  int rank_ = 0;
  std::size_t complaints_ = 0;
  std::vector<StepFinding> findings_;
};

}  // namespace traffic
