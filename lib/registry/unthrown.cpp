// SPDX-License-Identifier: BSD-3-Clause
#include "registry/unthrown.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

namespace waybill::registry {

namespace {

constexpr std::size_t nobody = 0;

/// A number that no other thread ever has: ids come back.
std::size_t my_number() noexcept {
  static std::atomic<std::size_t> last{nobody};
  constinit static thread_local std::size_t mine = nobody;
  if (mine == nobody) mine = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return mine;
}

bool same(const PostingSite& a, const PostingSite& b) noexcept {
  return a.line == b.line && std::string_view(a.file) == b.file;
}

}  // namespace

void Unthrown::keep(const Finding& finding, Thrower who) noexcept {
  const std::size_t thread = who == Thrower::this_thread ? my_number() : nobody;
  const std::lock_guard lock(mutex_);
  if (std::any_of(kept_.begin(), kept_.end(),
                  [&](const Kept& kept) { return kept.thread == thread; })) {
    return;
  }
  try {
    kept_.push_back({thread, finding});
    count_.store(kept_.size(), std::memory_order_relaxed);
  } catch (const std::exception&) {  // no memory
  }
}

/// The thread that made a finding sees its own count; of others' it may learn later.
template <class Choice>
std::optional<Finding> Unthrown::take_if(Choice choice) noexcept {
  if (count_.load(std::memory_order_relaxed) == 0) return {};
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), choice);
  if (found == kept_.end()) return {};
  std::optional<Finding> finding(std::move(found->finding));
  kept_.erase(found);
  count_.store(kept_.size(), std::memory_order_relaxed);
  return finding;
}

std::optional<Finding> Unthrown::take() noexcept {
  const std::size_t mine = my_number();
  auto finding = take_if([mine](const Kept& kept) { return kept.thread == mine; });
  if (!finding) finding = take_if([](const Kept& kept) { return kept.thread == nobody; });
  return finding;
}

std::optional<Finding> Unthrown::take_any() noexcept {
  return take_if([](const Kept&) { return true; });
}

void Unthrown::forget(FindingKind kind, const PostingSite& site) noexcept {
  static_cast<void>(take_if([&](const Kept& kept) {
    return kept.finding.kind == kind && same(kept.finding.site, site);
  }));
}

}  // namespace waybill::registry
