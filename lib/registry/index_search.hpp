// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What ByteIndex::insert() or touching() is looking for, and what it found.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "registry/byte_index.hpp"

namespace waybill::registry {

struct ByteIndex::Search {
  static constexpr std::uintptr_t any_granule = ~std::uintptr_t{0};

  const Record& record;
  std::vector<Record>& found;
  bool alone;                 // no locks are needed
  unsigned granule_bits = 0;  // of the level searched
  std::uintptr_t first = 0;   // the first granule there that the record lies in
  bool may_give_up = false;   // rather than wait for ever for a lock

  /// Looks through a chain for links into @p granule. A pair that meets in
  /// several granules is seen in the first that both lie in.
  void chain(const IndexLink* link, std::uintptr_t granule) noexcept {
    for (; link != nullptr; link = link->next) {
      const Record& other = *link->record;
      const Footprint& theirs = other.footprint;
      if (theirs.begin >= record.footprint.end || record.footprint.begin >= theirs.end) continue;
      const std::uintptr_t other_first = theirs.begin >> granule_bits;
      const std::uintptr_t here = other_first + (link == other.links ? 0 : 1);
      if (granule != any_granule && granule != here) continue;
      if (here == std::max(first, other_first)) compare(other);
    }
  }
  void bucket(const Bucket& chains, std::uintptr_t granule) noexcept {
    if (record.access == Access::write) chain(chains[reads].first(), granule);
    chain(chains[writes].first(), granule);
  }
  /// The same for one on the record's own level, where its cells are known.
  void bucket(const Bucket& chains, std::uintptr_t granule, Cells cells) noexcept {
    if (record.access == Access::write && chains[reads].touches(cells)) {
      chain(chains[reads].first(), granule);
    }
    if (chains[writes].touches(cells)) chain(chains[writes].first(), granule);
  }
  [[gnu::noinline]] void compare(const Record& other) noexcept;
};

}  // namespace waybill::registry
