// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Whether two operations touch a common byte, exactly.

#include <cstdint>
#include <optional>

#include "registry/record.hpp"

namespace waybill::registry {

/// Address of a byte that both touch; the lowest one if both are contiguous.
/// Costs O(1) between contiguous and strided shapes and between equal strides,
/// O(rows of the smaller) between unequal strides, and logarithms of the length
/// per pair of elements that come near each other for block lists.
std::optional<std::uintptr_t> shared_byte(const Footprint& one, const Footprint& other) noexcept;

inline bool overlaps(const Footprint& one, const Footprint& other) noexcept {
  return shared_byte(one, other).has_value();
}

}  // namespace waybill::registry
