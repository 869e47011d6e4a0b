// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/watched_contents.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <new>

namespace waybill::registry {

namespace {

constexpr std::uint32_t chunk_places = 256;
constexpr std::uint32_t most_chunks = 1U << 14U;
using Chunk = std::array<WatchedContent, chunk_places>;

/// Never freed, like the slots that know the numbers.
constinit std::array<std::atomic<Chunk*>, most_chunks> chunks{};
constinit std::mutex mutex;
std::uint32_t made = 1;  // 0 is no place; guarded by mutex

}  // namespace

WatchedContent& watched_content(std::uint32_t number) noexcept {
  // acquire pairs with the release below: a number may come from another thread's slot
  Chunk& chunk = *chunks[number / chunk_places].load(std::memory_order_acquire);
  return chunk[number % chunk_places];
}

void note_shared(const Record& record) noexcept {
  if (record.content == 0) return;
  watched_content(record.content).shared_by_post.store(record.sequence, std::memory_order_relaxed);
}

bool note_lost(const Record& record) noexcept {
  if (record.content == 0) return false;
  std::atomic<std::uint64_t>& lost = watched_content(record.content).lost_by_post;
  return lost.exchange(record.sequence, std::memory_order_relaxed) != record.sequence;
}

bool was_lost(const Record& record) noexcept {
  if (record.content == 0) return false;
  const WatchedContent& content = watched_content(record.content);
  return content.lost_by_post.load(std::memory_order_relaxed) == record.sequence;
}

std::uint32_t make_watched_content() noexcept {
  const std::lock_guard lock(mutex);
  const std::uint32_t at = made / chunk_places;
  if (at == most_chunks) return 0;
  if (chunks[at].load(std::memory_order_relaxed) == nullptr) {
    auto* const chunk = new (std::nothrow) Chunk;
    if (chunk == nullptr) return 0;
    chunks[at].store(chunk, std::memory_order_release);
  }
  return made++;
}

}  // namespace waybill::registry
