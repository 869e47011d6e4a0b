// SPDX-License-Identifier: BSD-3-Clause
#include "verdict.hpp"

#include <cstdio>
#include <cstring>

namespace traffic {

std::string describe(const StepFinding& finding) {
  std::string text = std::string(waybill::name(finding.kind)) + " at step " +
                     std::to_string(finding.step) + (finding.is_send ? " (send)" : " (receive)");
  if (finding.other != 0) text += " and step " + std::to_string(finding.other);
  return text;
}

void Verdict::begin(const std::string& plan, int rank) {
  const std::lock_guard lock(mutex_);
  plan_ = plan;
  rank_ = rank;
  complaints_ = 0;
  findings_.clear();
  for (auto& step : steps_) step = 0;
}

std::string Verdict::steps() const {
  std::string text;
  for (const auto& step : steps_) {
    if (step != 0) text += (text.empty() ? "" : ", ") + std::to_string(step);
  }
  return text.empty() ? "none" : text;
}

void Verdict::complain(std::size_t step, bool is_send, const std::string& what) {
  constexpr std::size_t most_lines = 20;
  const std::lock_guard lock(mutex_);
  if (++complaints_ > most_lines) return;
  std::fprintf(stderr, "%s, step %zu (%s on rank %d): %s\n", plan_.c_str(), step,
               is_send ? "send" : "receive", rank_, what.c_str());
}

void Verdict::found(const waybill::Finding& finding) {
  const std::lock_guard lock(mutex_);
  findings_.push_back({finding.kind, std::strcmp(finding.site.function, "send") == 0,
                       finding.site.line, finding.other.line});
}

std::size_t Verdict::complaints() const {
  const std::lock_guard lock(mutex_);
  return complaints_;
}

std::vector<StepFinding> Verdict::findings() const {
  const std::lock_guard lock(mutex_);
  return findings_;
}

}  // namespace traffic
