// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/shadow.hpp"

#include <algorithm>
#include <cstring>

#include "registry/content/pieces.hpp"

namespace waybill::registry {

namespace {

/// Of a place that has gaps like the buffer; a wider one is not worth its memory.
constexpr std::size_t most_bytes_per_byte = 4;

std::byte* at(std::uintptr_t address) noexcept { return reinterpret_cast<std::byte*>(address); }

}  // namespace

bool Shadow::take(const Footprint& footprint, const BufferShape& buffer, std::size_t touched,
                  ContentMemory& memory) noexcept {
  packed_ = buffer.element != Element::native;
  if (packed_) return place_.take(memory, touched);
  const std::size_t span = footprint.end - footprint.begin;
  // MPI_BOTTOM, whose addresses are absolute, cannot be moved.
  if (buffer.address == nullptr || span / most_bytes_per_byte > touched) return false;
  if (!place_.take(memory, span)) return false;
  // A short message leaves the rest as it is, in an order that only MPI knows.
  for_each_piece(footprint, [&](std::uintptr_t address, std::size_t bytes) {
    std::memcpy(place_.data() + (address - footprint.begin), at(address), bytes);
    return true;
  });
  return true;
}

BufferShape Shadow::instead_of(const BufferShape& buffer,
                               const Footprint& footprint) const noexcept {
  BufferShape place = buffer;
  if (packed_) {
    place.address = place_.data();
    place.columns = buffer.elements();
    place.rows = 1;
    return place;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.address);
  place.address = place_.data() + static_cast<std::ptrdiff_t>(address - footprint.begin);
  return place;
}

void Shadow::deliver(const Footprint& footprint, std::size_t bytes) const noexcept {
  if (!packed_) {
    for_each_piece(footprint, [&](std::uintptr_t address, std::size_t piece) {
      std::memcpy(at(address), place_.data() + (address - footprint.begin), piece);
      return true;
    });
    return;
  }
  const std::byte* from = place_.data();
  for_each_piece(footprint, [&](std::uintptr_t address, std::size_t piece) {
    const std::size_t part = std::min(piece, bytes);
    std::memcpy(at(address), from, part);
    from += part;
    bytes -= part;
    return bytes > 0;
  });
}

}  // namespace waybill::registry
