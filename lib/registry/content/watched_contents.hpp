// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What is remembered of contents, a place per operation. A place is reached by its number,
/// which the operation's slot keeps for good, so that a post finds one without a lock.

#include <atomic>
#include <cstdint>

#include "registry/content/seal.hpp"
#include "registry/content/shadow.hpp"

namespace waybill::registry {

struct WatchedContent {
  Seal seal;
  Shadow shadow;
  bool deliverable = true;     ///< the program's buffer may be there
  void* attachment = nullptr;  ///< see ContentWatch::attachment()
  /// Number of the last post here whose bytes another operation shares: that one may change
  /// them too. Relaxed: the messages of both race anyway.
  std::atomic<std::uint64_t> shared_by_post{0};
  /// Number of the last post here whose memory was freed, or the like, while it was in flight.
  /// Relaxed: who looks later and does not know of the free races with it anyway.
  std::atomic<std::uint64_t> lost_by_post{0};
  bool held = false;  ///< HeldMemory counts it
};

/// @p record, or a copy of it, shares bytes with another.
void note_shared(const Record& record) noexcept;

/// The memory of @p record, or of a copy of it, is the program's no more. True the first
/// time, and false of one that has no place.
[[nodiscard]] bool note_lost(const Record& record) noexcept;
[[nodiscard]] bool was_lost(const Record& record) noexcept;

/// The place with @p number, which make_watched_content() returned.
[[nodiscard]] WatchedContent& watched_content(std::uint32_t number) noexcept;

/// Number of a new place; 0 if there is no memory. Places are never given back.
[[nodiscard]] std::uint32_t make_watched_content() noexcept;

}  // namespace waybill::registry
