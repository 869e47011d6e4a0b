// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// 16-bit floating-point numbers, as storage: what C++20 has no type for. They
/// convert to and from float; a program with types of its own (__half, _Float16,
/// ...) can pass their bits.

#include <bit>
#include <cstdint>

namespace waybill {

namespace detail {

/// @p bits without its @p dropped lowest ones, rounded to nearest, half to even.
constexpr std::uint32_t round_off(std::uint32_t bits, unsigned dropped) noexcept {
  const std::uint32_t half = (std::uint32_t{1} << (dropped - 1U)) - 1U;
  return (bits + half + (bits >> dropped & 1U)) >> dropped;
}

/// 2^power as a float's bits, for normal numbers.
constexpr float power_of_two(int power) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(power + 127) << 23U);
}

constexpr std::uint16_t to_float16(float number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  std::uint32_t result = 0;
  if (magnitude > 0x7F800000U) {
    result = 0x7E00U;  // not a number
  } else if (magnitude >= 0x47800000U) {
    result = 0x7C00U;  // 65536 and above: infinite
  } else if (magnitude >= 0x38800000U) {
    result = round_off(magnitude - (std::uint32_t{112} << 23U), 13);  // may round up to infinite
  } else {
    // Below 2^-14: a whole number of 2^-24. Adding 0.5 lets the hardware round to them.
    const float shifted = std::bit_cast<float>(magnitude) + power_of_two(-1);
    result = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(power_of_two(-1));
  }
  return static_cast<std::uint16_t>(sign | result);
}

constexpr float from_float16(std::uint16_t bits) noexcept {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = bits & 0x7FFFU;
  if (magnitude >= 0x7C00U) {
    return std::bit_cast<float>(sign | 0x7F800000U | (magnitude & 0x3FFU) << 13U);
  }
  if (magnitude >= 0x400U) {
    return std::bit_cast<float>(sign | ((magnitude << 13U) + (std::uint32_t{112} << 23U)));
  }
  const float small = static_cast<float>(magnitude) * power_of_two(-24);
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(small));
}

constexpr std::uint16_t to_bfloat16(float number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
    return static_cast<std::uint16_t>(bits >> 16U | 0x40U);  // not a number, and stays so
  }
  return static_cast<std::uint16_t>(round_off(bits, 16));
}

constexpr float from_bfloat16(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

}  // namespace detail

/// IEEE 754 binary16: 11 bits of precision, up to 65504. Rounded to nearest, half to even.
struct float16 {  // NOLINT(readability-identifier-naming): a number, like std::float16_t
  std::uint16_t bits = 0;

  constexpr float16() noexcept = default;
  constexpr explicit float16(float number) noexcept : bits(detail::to_float16(number)) {}
  constexpr explicit operator float() const noexcept { return detail::from_float16(bits); }
};

/// The upper half of a float: 8 bits of precision, the range of float. Rounded likewise.
struct bfloat16 {  // NOLINT(readability-identifier-naming): likewise
  std::uint16_t bits = 0;

  constexpr bfloat16() noexcept = default;
  constexpr explicit bfloat16(float number) noexcept : bits(detail::to_bfloat16(number)) {}
  constexpr explicit operator float() const noexcept { return detail::from_bfloat16(bits); }
};

}  // namespace waybill
