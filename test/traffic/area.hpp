// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Memory of one end of a message, and the bytes that must be in it.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "plan.hpp"
#include "waybill/buffer.hpp"

namespace traffic {

/// Rows of equal length at equal distance; one row if it is contiguous. Owns nothing.
struct Area {
  std::uint8_t* first = nullptr;
  std::size_t rows = 1;
  std::size_t row_bytes = 0;
  std::size_t stride_bytes = 0;

  [[nodiscard]] std::size_t bytes() const { return rows * row_bytes; }
  /// Byte @p i of the message.
  [[nodiscard]] std::uint8_t& byte(std::size_t i) const {
    return first[i / row_bytes * stride_bytes + i % row_bytes];
  }
};

[[nodiscard]] waybill::BufferShape shape_of(const Area& area, Element element);

/// What a receive buffer holds before its message is there.
inline constexpr std::uint8_t untouched = 0x5A;

/// Which message: no two have the same bytes.
std::uint64_t key_of(const Plan& plan, std::size_t step);

void fill(const Area& area, std::uint64_t key);
void fill_untouched(const Area& area);
/// The first byte that differs: the first @p bytes must be those of @p key, the others untouched.
[[nodiscard]] std::optional<std::size_t> first_wrong(const Area& area, std::uint64_t key,
                                                     std::size_t bytes);
/// Of the gaps between rows, which must be untouched; counts from the first byte of the area.
[[nodiscard]] std::optional<std::size_t> first_wrong_in_gaps(const Area& area);

}  // namespace traffic
