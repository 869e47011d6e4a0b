// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/outlets.hpp"

#include <exception>
#include <utility>

namespace waybill::recorder {

namespace {

/// Nothing may pass through: neither lack of memory nor what the program throws.
template <class Call>
void contain(Call call) noexcept {
  try {
    call();
  } catch (...) {  // told to nobody: this is the place that tells
  }
}

}  // namespace

Outlets::Outlets(OutletsOptions options)
    : options_(std::move(options)), suppressed_(options_.suppressions.size()) {}

void Outlets::add(std::unique_ptr<Outlet> outlet) { outlets_.push_back(std::move(outlet)); }

void Outlets::report(Finding&& finding) noexcept {
  if (suppress(finding)) return;
  contain([&] {
    const Places::Seen seen = places_.add(finding);
    for (const auto& outlet : outlets_) contain([&] { outlet->tell(finding, seen); });
  });
  if (options_.on_finding) contain([&] { options_.on_finding(finding); });
  if (options_.afterwards) options_.afterwards(finding);
}

bool Outlets::suppress(const Finding& finding) noexcept {
  for (std::size_t i = 0; i < suppressed_.size(); ++i) {
    if (!covers(options_.suppressions[i], finding)) continue;
    suppressed_[i].fetch_add(1, std::memory_order_relaxed);  // a count; orders nothing
    return true;
  }
  return false;
}

Tally Outlets::tally() const {
  Tally tally;
  tally.rank = options_.rank;
  tally.places = places_.all();
  tally.elsewhere = places_.elsewhere();
  for (std::size_t i = 0; i < suppressed_.size(); ++i) {
    const std::size_t count = suppressed_[i].load(std::memory_order_relaxed);
    if (count > 0) tally.suppressed.emplace_back(options_.suppressions[i].name, count);
  }
  return tally;
}

void Outlets::end() noexcept {
  if (ended_.exchange(true)) return;
  contain([this] {
    const Tally all = tally();
    for (const auto& outlet : outlets_) contain([&] { outlet->end(all); });
  });
}

}  // namespace waybill::recorder
