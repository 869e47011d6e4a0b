// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/report.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <iterator>
#include <numeric>
#include <utility>

#include "registry/describe.hpp"

namespace waybill::recorder {

namespace {

using registry::file_and_line;

constexpr int slow_reader_milliseconds = 1000;

/// Distinguishes files of the same name in different directories.
std::string key_of(const Finding& finding) {
  return fmt::format("{}:{}:{}:{}:{}", static_cast<int>(finding.kind), finding.site.file,
                     finding.site.line, finding.other.file, finding.other.line);
}

std::string place_of(const Finding& finding) {
  std::string text = fmt::format("{} at {}", name(finding.kind), file_and_line(finding.site));
  if (finding.other.line != 0) text += fmt::format(" and {}", file_and_line(finding.other));
  return text;
}

std::string block_of(const Finding& finding) {
  return fmt::format("waybill: {} on rank {}\n  {}\n  to do: {}\n", name(finding.kind),
                     finding.rank, finding.what, finding.advice);
}

}  // namespace

Report::Report(ReportOptions options) : options_(std::move(options)) {}

void Report::report(Finding&& finding) noexcept {
  try {
    if (remember(finding) && options_.text) write_block(block_of(finding));
  } catch (const std::exception&) {  // no memory: counted, not told
  }
  if (!options_.on_finding) return;
  try {
    options_.on_finding(finding);
  } catch (...) {  // the program's own affair; nothing may pass through here
  }
}

/// Counts it; true if it is the first of its place.
bool Report::remember(const Finding& finding) {
  const std::lock_guard lock(mutex_);
  ++counts_[static_cast<std::size_t>(finding.kind)];
  rank_ = finding.rank;
  const std::string key = key_of(finding);
  if (const auto known = place_numbers_.find(key); known != place_numbers_.end()) {
    ++places_[known->second].count;
    return false;
  }
  if (places_.size() == max_places) {
    ++elsewhere_;
    return false;
  }
  places_.push_back({place_of(finding), 1});
  place_numbers_.emplace(key, places_.size() - 1);
  return true;
}

std::size_t Report::count() const noexcept {
  const std::lock_guard lock(mutex_);
  return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
}

std::size_t Report::count(FindingKind kind) const noexcept {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<std::size_t>(kind)];
}

void Report::summary() noexcept {
  const std::size_t all = count();
  if (all == 0 || !options_.text) return;
  try {
    const std::lock_guard lock(mutex_);
    std::string block =
        fmt::format("waybill: {} {} on rank {}\n", all, all == 1 ? "finding" : "findings", rank_);
    for (const Place& place : places_) block += fmt::format("  {} x {}\n", place.count, place.text);
    if (elsewhere_ > 0) block += fmt::format("  {} x at further places\n", elsewhere_);
    write_block(block);
  } catch (const std::exception&) {  // no memory
  }
}

/// One write(2), unless the descriptor takes only a part. Gives up on a reader
/// that takes nothing for a second: text is not worth a hang.
void Report::write_block(const std::string& block) const noexcept {
  const char* rest = block.data();
  std::size_t left = block.size();
  while (left > 0) {
    const ssize_t written = ::write(options_.descriptor, rest, left);
    if (written > 0) {
      rest += written;
      left -= static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      pollfd ready{options_.descriptor, POLLOUT, 0};
      if (::poll(&ready, 1, slow_reader_milliseconds) <= 0) return;
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace waybill::recorder
