// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a buffer held at one moment, to find out later whether it changed.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "registry/record.hpp"

namespace waybill::registry {

/// Memory that contents may take, for all operations together.
class ContentMemory {
 public:
  explicit ContentMemory(std::size_t most) noexcept : most_(most) {}

  /// Null if that would be too much, or there is none.
  [[nodiscard]] std::byte* take(std::size_t bytes) noexcept;
  void give_back(std::byte* memory, std::size_t bytes) noexcept;

 private:
  const std::size_t most_;
  std::atomic<std::size_t> used_{0};  // relaxed: a number, which orders nothing
};

/// Bytes that belong to ContentMemory, or lie inside if there are few of them.
class ContentBytes {
 public:
  static constexpr std::size_t few = 64;

  ContentBytes() = default;
  ContentBytes(const ContentBytes&) = delete;
  ContentBytes& operator=(const ContentBytes&) = delete;

  /// False without memory. Not while it holds some.
  [[nodiscard]] bool take(ContentMemory& memory, std::size_t bytes) noexcept {
    data_ = bytes <= few ? few_.data() : memory.take(bytes);
    size_ = bytes;
    return data_ != nullptr;
  }
  void give_back(ContentMemory& memory) noexcept {
    if (data_ != nullptr && size_ > few) memory.give_back(data_, size_);
    data_ = nullptr;
  }
  [[nodiscard]] std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  alignas(16) std::array<std::byte, few> few_;
};

/// Bytes that changed, counted from the first one that the buffer touches: one, or a
/// block of which that is all that is known.
struct Change {
  std::size_t offset;
  std::size_t bytes;
};

/// Up to `exact_bytes` as a copy, so that the first byte that changed is known; of more the
/// sums of blocks. Not for several threads at once.
class Seal {
 public:
  static constexpr std::size_t exact_bytes = std::size_t{64} << 10U;
  static constexpr std::size_t block_bytes = 1024;

  /// Of @p touched bytes in all; of more than @p sample bytes only so many, in blocks that are
  /// chosen by chance. False without memory.
  [[nodiscard]] bool take(const Footprint& footprint, std::size_t touched, std::size_t sample,
                          ContentMemory& memory) noexcept;
  [[nodiscard]] bool taken() const noexcept { return kept_.data() != nullptr; }
  /// The first change since. The memory must be there; see CarefulAccess.
  [[nodiscard]] std::optional<Change> first_change(const Footprint& footprint) const noexcept;
  void give_back(ContentMemory& memory) noexcept { kept_.give_back(memory); }

 private:
  [[nodiscard]] std::optional<Change> first_changed_byte(const Footprint& footprint) const noexcept;
  [[nodiscard]] std::optional<Change> first_changed_block(
      const Footprint& footprint) const noexcept;
  template <class Use>
  void for_each_block(const Footprint& footprint, Use use) const noexcept;

  ContentBytes kept_;  // the copy, or a sum for each block looked at
  bool exact_ = true;
  std::size_t every_ = 1;  // so many blocks, one is looked at
  std::size_t phase_ = 0;
};

}  // namespace waybill::registry
