// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/seal.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "registry/content/block_sum.hpp"
#include "registry/content/pieces.hpp"

namespace waybill::registry {

namespace {

const std::byte* at(std::uintptr_t address) noexcept {
  return reinterpret_cast<const std::byte*>(address);
}

/// A different number each time, so that one place is not missed for ever.
std::size_t chance() noexcept {
  thread_local std::uint64_t state = reinterpret_cast<std::uintptr_t>(&state) | 1U;
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  return state;
}

std::size_t first_difference(const std::byte* one, const std::byte* other,
                             std::size_t size) noexcept {
  return static_cast<std::size_t>(std::mismatch(one, one + size, other).first - one);
}

}  // namespace

std::byte* ContentMemory::take(std::size_t bytes) noexcept {
  if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_) {
    auto* const memory = new (std::nothrow) std::byte[bytes];
    if (memory != nullptr) return memory;
  }
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  return nullptr;
}

void ContentMemory::give_back(std::byte* memory, std::size_t bytes) noexcept {
  delete[] memory;
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

bool Seal::take(const Footprint& footprint, std::size_t touched, std::size_t sample,
                ContentMemory& memory) noexcept {
  exact_ = touched <= exact_bytes && touched <= sample;
  if (exact_) {
    if (!kept_.take(memory, touched)) return false;
    std::byte* to = kept_.data();
    for_each_piece(footprint, [&](std::uintptr_t address, std::size_t bytes) {
      std::memcpy(to, at(address), bytes);
      to += bytes;
      return true;
    });
    return true;
  }
  const std::size_t blocks = (touched + block_bytes - 1) / block_bytes;
  const std::size_t wanted = std::clamp<std::size_t>(sample / block_bytes, 1, blocks);
  every_ = (blocks + wanted - 1) / wanted;
  phase_ = every_ == 1 ? 0 : chance() % every_;
  if (!kept_.take(memory, (blocks / every_ + 1) * sizeof(std::uint64_t))) return false;
  auto* sum = reinterpret_cast<std::uint64_t*>(kept_.data());
  for_each_block(footprint, [&](const std::byte* block, std::size_t bytes, const Change& /*at*/) {
    *sum++ = block_sum(block, bytes);
    return true;
  });
  return true;
}

std::optional<Change> Seal::first_change(const Footprint& footprint) const noexcept {
  return exact_ ? first_changed_byte(footprint) : first_changed_block(footprint);
}

std::optional<Change> Seal::first_changed_byte(const Footprint& footprint) const noexcept {
  const std::byte* before = kept_.data();
  std::optional<Change> found;
  for_each_piece(footprint, [&](std::uintptr_t address, std::size_t bytes) {
    if (std::memcmp(before, at(address), bytes) != 0) {
      found = {address - footprint.begin + first_difference(before, at(address), bytes), 1};
      return false;
    }
    before += bytes;
    return true;
  });
  return found;
}

std::optional<Change> Seal::first_changed_block(const Footprint& footprint) const noexcept {
  const auto* sum = reinterpret_cast<const std::uint64_t*>(kept_.data());
  std::optional<Change> found;
  for_each_block(footprint, [&](const std::byte* block, std::size_t bytes, const Change& where) {
    if (*sum++ == block_sum(block, bytes)) return true;
    found = where;
    return false;
  });
  return found;
}

/// Calls use(bytes, size, where they lie) for each block that is looked at. Blocks are cut
/// from the pieces one after the other; one that spans several pieces is gathered.
template <class Use>
void Seal::for_each_block(const Footprint& footprint, Use use) const noexcept {
  alignas(64) std::byte gathered[block_bytes];
  std::size_t filled = 0;
  std::size_t number = 0;
  Change where{0, 0};
  const auto looked_at = [&] { return number % every_ == phase_; };
  const bool all = for_each_piece(footprint, [&](std::uintptr_t address, std::size_t bytes) {
    while (bytes > 0) {
      const std::size_t part = std::min(bytes, block_bytes - filled);
      const std::size_t offset = address - footprint.begin;
      if (filled == 0) where = {offset, 0};
      const std::size_t end = std::max(where.offset + where.bytes, offset + part);
      where.offset = std::min(where.offset, offset);
      where.bytes = end - where.offset;
      const bool whole = part == block_bytes;
      if (!whole && looked_at()) std::memcpy(gathered + filled, at(address), part);
      filled += part;
      if (filled == block_bytes) {
        if (looked_at() && !use(whole ? at(address) : gathered, block_bytes, where)) return false;
        filled = 0;
        ++number;
      }
      address += part;
      bytes -= part;
    }
    return true;
  });
  if (all && filled > 0 && looked_at()) use(gathered, filled, where);
}

}  // namespace waybill::registry
