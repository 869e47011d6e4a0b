// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/places.hpp"

#include <fmt/format.h>

#include <numeric>

#include "registry/describe.hpp"

namespace waybill::recorder {

namespace {

using registry::file_and_line;

/// Distinguishes files of the same name in different directories.
std::string key_of(const Finding& finding) {
  return fmt::format("{}:{}:{}:{}:{}", static_cast<int>(finding.kind), finding.site.file,
                     finding.site.line, finding.other.file, finding.other.line);
}

Place::Line copy(const PostingSite& site) { return {site.file, site.function, site.line}; }

PostingSite view(const Place::Line& line) {
  return {line.file.c_str(), line.function.c_str(), line.number};
}

}  // namespace

Finding Place::finding() const { return {kind, rank, view(site), view(other), what, advice}; }

std::string Place::text() const {
  std::string text = fmt::format("{} at {}", name(kind), file_and_line(view(site)));
  if (other.number != 0) text += fmt::format(" and {}", file_and_line(view(other)));
  return text;
}

Places::Seen Places::add(const Finding& finding) {
  const std::lock_guard lock(mutex_);
  const auto kind = static_cast<std::size_t>(finding.kind);
  ++counts_[kind];
  const std::string key = key_of(finding);
  if (const auto known = numbers_.find(key); known != numbers_.end()) {
    return {known->second, ++places_[known->second].count};
  }
  if (places_.size() == max_places) return {max_places, ++elsewhere_[kind]};
  places_.push_back({finding.kind, finding.rank, copy(finding.site), copy(finding.other),
                     finding.what, finding.advice, 1});
  numbers_.emplace(key, places_.size() - 1);
  return {places_.size() - 1, 1};
}

std::size_t Places::count() const noexcept {
  const std::lock_guard lock(mutex_);
  return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
}

std::size_t Places::count(FindingKind kind) const noexcept {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<std::size_t>(kind)];
}

std::vector<Place> Places::all() const {
  const std::lock_guard lock(mutex_);
  return places_;
}

Places::Counts Places::elsewhere() const noexcept {
  const std::lock_guard lock(mutex_);
  return elsewhere_;
}

}  // namespace waybill::recorder
