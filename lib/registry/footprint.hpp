// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Makers of footprints. Each gives the simplest shape that touches the same
/// bytes: a block list that is one column becomes strided, rows without gaps
/// become contiguous. What has no bytes, or does not fit into [0, address_limit),
/// becomes unwatched.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "registry/record.hpp"

namespace waybill::registry {

/// No process has memory up there, so that differences of addresses fit into 64 bits.
inline constexpr std::uint64_t address_limit = std::uint64_t{1} << 62;

/// Inline, because nearly every post makes one.
inline Footprint contiguous_footprint(std::uintptr_t begin, std::size_t bytes) noexcept {
  Footprint made;
  if (begin >= address_limit || bytes - 1 >= address_limit - begin) return made;  // 0 - 1 is large
  made.begin = begin;
  made.end = begin + bytes;
  made.count = 1;
  made.shape = Shape::contiguous;
  return made;
}
/// The same, into a footprint without block list, of less than address_limit bytes
/// of memory that is there, below address_limit. False if it is unwatched.
inline bool set_contiguous(Footprint& footprint, const void* address, std::size_t bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  footprint.begin = begin;
  footprint.end = begin + bytes;
  footprint.count = 1;
  footprint.shape = Shape::contiguous;
  if (bytes != 0) [[likely]]
    return true;
  footprint.shape = Shape::unwatched;
  return false;
}
inline Footprint contiguous_footprint(const void* address, std::size_t bytes) noexcept {
  return contiguous_footprint(reinterpret_cast<std::uintptr_t>(address), bytes);
}

/// Rows may overlap each other (stride_bytes < row_bytes).
Footprint strided_footprint(const void* address, std::size_t rows, std::size_t row_bytes,
                            std::size_t stride_bytes) noexcept;

/// @p count elements one extent apart, the first at @p address. Unwatched if @p element is null.
Footprint blocks_footprint(const void* address, std::size_t count,
                           std::shared_ptr<const BlockList> element) noexcept;

}  // namespace waybill::registry
