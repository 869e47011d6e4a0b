// SPDX-License-Identifier: BSD-3-Clause
#include "area.hpp"

#include <algorithm>
#include <cstring>

namespace traffic {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EB;
  return x ^ (x >> 31U);
}

std::uint64_t word(std::uint64_t key, std::size_t number) {
  return mix(key + number * 0x9E3779B97F4A7C15);
}

/// Bytes begin .. begin + count - 1 of a message.
void generate(std::uint64_t key, std::size_t begin, std::uint8_t* to, std::size_t count) {
  while (count > 0) {
    const std::uint64_t bytes = word(key, begin / 8);
    const std::size_t skipped = begin % 8;
    const std::size_t taken = std::min(count, 8 - skipped);
    std::memcpy(to, reinterpret_cast<const std::uint8_t*>(&bytes) + skipped, taken);
    begin += taken;
    to += taken;
    count -= taken;
  }
}

std::optional<std::size_t> first_difference(const std::uint8_t* is, const std::uint8_t* should,
                                            std::size_t count) {
  if (std::memcmp(is, should, count) == 0) return std::nullopt;
  return static_cast<std::size_t>(std::mismatch(is, is + count, should).first - is);
}

/// Compares a piece of a row that begins at byte @p begin of the message.
std::optional<std::size_t> wrong_in_row(const std::uint8_t* row, std::size_t count,
                                        std::uint64_t key, std::size_t begin, std::size_t bytes) {
  std::uint8_t should[512];
  for (std::size_t at = 0; at < count;) {
    const std::size_t piece = std::min(count - at, sizeof should);
    const std::size_t place = begin + at;
    const std::size_t sent = place < bytes ? std::min(piece, bytes - place) : 0;
    generate(key, place, should, sent);
    std::memset(should + sent, untouched, piece - sent);
    if (const auto wrong = first_difference(row + at, should, piece)) return at + *wrong;
    at += piece;
  }
  return std::nullopt;
}

template <class T>
waybill::BufferShape shape_as(const Area& area) {
  T* const first = reinterpret_cast<T*>(area.first);
  const std::size_t columns = area.row_bytes / sizeof(T);
  if (area.rows == 1) return waybill::SendBuffer(std::span<T>(first, columns)).shape();
  return waybill::SendBuffer(
             waybill::StridedView<T>{first, area.rows, columns, area.stride_bytes / sizeof(T)})
      .shape();
}

}  // namespace

waybill::BufferShape shape_of(const Area& area, Element element) {
  switch (element) {
    case Element::integer: return shape_as<std::int32_t>(area);
    case Element::real: return shape_as<double>(area);
    default: return shape_as<std::uint8_t>(area);
  }
}

std::uint64_t key_of(const Plan& plan, std::size_t step) { return mix(plan.seed << 20U | step); }

void fill(const Area& area, std::uint64_t key) {
  for (std::size_t row = 0; row < area.rows; ++row) {
    generate(key, row * area.row_bytes, area.first + row * area.stride_bytes, area.row_bytes);
  }
}

void fill_untouched(const Area& area) {
  for (std::size_t row = 0; row < area.rows && area.row_bytes > 0; ++row) {
    std::memset(area.first + row * area.stride_bytes, untouched, area.row_bytes);
  }
}

std::optional<std::size_t> first_wrong(const Area& area, std::uint64_t key, std::size_t bytes) {
  for (std::size_t row = 0; row < area.rows; ++row) {
    const std::size_t begin = row * area.row_bytes;
    const auto wrong =
        wrong_in_row(area.first + row * area.stride_bytes, area.row_bytes, key, begin, bytes);
    if (wrong) return begin + *wrong;
  }
  return std::nullopt;
}

std::optional<std::size_t> first_wrong_in_gaps(const Area& area) {
  for (std::size_t row = 0; row + 1 < area.rows; ++row) {
    for (std::size_t i = area.row_bytes; i < area.stride_bytes; ++i) {
      const std::size_t place = row * area.stride_bytes + i;
      if (area.first[place] != untouched) return place;
    }
  }
  return std::nullopt;
}

}  // namespace traffic
