// SPDX-License-Identifier: BSD-3-Clause
#include "guard/page_counts.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

namespace waybill::guard {

Protector::~Protector() = default;

Protection PageCounts::Stretch::protection() const noexcept {
  if (given_up || !held()) return Protection::open;
  return writes > 0 ? Protection::closed : Protection::read_only;
}

void PageCounts::Stretch::count(Access access, int more) noexcept {
  (access == Access::read ? reads : writes) += static_cast<std::uint32_t>(more);
  if (!held()) given_up = false;
}

bool PageCounts::add(const Pages& pages, Access access) noexcept {
  if (pages.empty() || !may_hold(pages)) return false;
  Boundaries::iterator first;
  Boundaries::iterator last;
  try {
    first = pin(pages.begin);
  } catch (const std::exception&) {  // no memory
    return false;
  }
  try {
    last = pin(pages.end);
  } catch (const std::exception&) {
    unpin(first);
    return false;
  }
  if (change(first, last, access, 1)) return true;
  remove(pages, access);
  return false;
}

void PageCounts::remove(const Pages& pages, Access access) noexcept {
  const auto first = boundaries_.find(pages.begin);
  const auto last = boundaries_.find(pages.end);
  if (!change(first, last, access, -1)) give_up(pages);
  unpin(first);
  unpin(last);
}

Protection PageCounts::at(std::uintptr_t address) const noexcept {
  const auto next = boundaries_.upper_bound(address);
  return next == boundaries_.begin() ? Protection::open : std::prev(next)->second.protection();
}

/// Pages that somebody holds are known; the others are asked for.
bool PageCounts::may_hold(const Pages& pages) noexcept {
  auto next = boundaries_.upper_bound(pages.begin);
  const Stretch none;
  const Stretch* here = next == boundaries_.begin() ? &none : &std::prev(next)->second;
  for (std::uintptr_t at = pages.begin; at < pages.end;) {
    const std::uintptr_t end =
        next == boundaries_.end() ? pages.end : std::min(pages.end, next->first);
    if (here->given_up || (!here->held() && !protector_.is_open({at, end}))) return false;
    at = end;
    if (next != boundaries_.end()) {
      here = &next->second;
      ++next;
    }
  }
  return true;
}

/// What begins here is held by the same operations as what is before it.
PageCounts::Boundaries::iterator PageCounts::pin(std::uintptr_t address) {
  const auto [place, is_new] = boundaries_.try_emplace(address);
  if (is_new && place != boundaries_.begin()) place->second = std::prev(place)->second;
  if (is_new) place->second.pins = 0;
  ++place->second.pins;
  return place;
}

/// Without a pin no operation begins or ends here, so that both sides are alike.
void PageCounts::unpin(Boundaries::iterator boundary) noexcept {
  if (--boundary->second.pins == 0) boundaries_.erase(boundary);
}

/// Counts all; then one call per run that has become something else. False if
/// one failed; the rest is tried all the same.
bool PageCounts::change(Boundaries::iterator first, Boundaries::iterator last, Access access,
                        int more) noexcept {
  bool done = true;
  Pages run;
  Protection wanted = Protection::open;
  const auto flush = [&] {
    if (!run.empty() && !protector_.set(run, wanted)) done = false;
    run = {};
  };
  for (auto here = first; here != last;) {
    const Protection before = here->second.protection();
    here->second.count(access, more);
    const Protection now = here->second.protection();
    const std::uintptr_t begin = here->first;
    ++here;
    if (now == before) {
      flush();
      continue;
    }
    if (run.empty() || now != wanted) {
      flush();
      run.begin = begin;
      wanted = now;
    }
    run.end = here->first;
  }
  flush();
  return done;
}

/// Opens all that is protected and hangs together with these pages. Both ends of
/// that are ends of mappings, so that the kernel need not split one.
void PageCounts::give_up(const Pages& pages) noexcept {
  auto first = boundaries_.find(pages.begin);
  auto last = boundaries_.find(pages.end);
  while (first != boundaries_.begin() && std::prev(first)->second.held()) --first;
  while (last != boundaries_.end() && last->second.held()) ++last;
  const Pages all{first->first, last->first};
  for (auto here = first; here != last; ++here) here->second.given_up = here->second.held();
  static_cast<void>(protector_.set(all, Protection::open));
}

}  // namespace waybill::guard
