// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How a buffer is divided among the ranks of a communicator.

#include <concepts>
#include <cstddef>
#include <ranges>
#include <vector>

namespace waybill {

namespace detail {

template <class R>
concept Integers = std::ranges::input_range<R> && std::integral<std::ranges::range_value_t<R>>;

}  // namespace detail

/// One block per rank, in elements of the buffer: rank i's has counts[i] of them and begins at
/// displacements[i], or right behind the one before it. Blocks that are received must
/// not overlap. The numbers are copied: `comm.allgatherv_async(mine, all, counts)`,
/// `{counts, displacements}`.
class Blocks {
 public:
  /// None: for a rank where they do not count.
  Blocks() = default;
  template <detail::Integers C>
  Blocks(const C& counts)  // NOLINT(google-explicit-constructor)
      : counts_(copy(counts)) {}
  template <detail::Integers C, detail::Integers D>
  Blocks(const C& counts, const D& displacements)
      : counts_(copy(counts)), displacements_(copy(displacements)) {}

  [[nodiscard]] const std::vector<std::size_t>& counts() const noexcept { return counts_; }
  /// Empty if the blocks lie one behind the other.
  [[nodiscard]] const std::vector<std::size_t>& displacements() const noexcept {
    return displacements_;
  }

 private:
  /// Negative numbers become huge ones, which no buffer holds.
  template <class R>
  static std::vector<std::size_t> copy(const R& numbers) {
    std::vector<std::size_t> copied;
    for (const auto number : numbers) copied.push_back(static_cast<std::size_t>(number));
    return copied;
  }

  std::vector<std::size_t> counts_;
  std::vector<std::size_t> displacements_;
};

}  // namespace waybill
