// SPDX-License-Identifier: BSD-3-Clause
// 16-bit numbers against their definition.
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/catch.hpp"
#include "waybill/float16.hpp"

using waybill::bfloat16;
using waybill::float16;

namespace {

float to_float(std::uint32_t bits, bool brain) {
  if (brain) {
    bfloat16 number;
    number.bits = static_cast<std::uint16_t>(bits);
    return static_cast<float>(number);
  }
  float16 number;
  number.bits = static_cast<std::uint16_t>(bits);
  return static_cast<float>(number);
}

std::uint16_t to_bits(float number, bool brain) {
  return brain ? bfloat16(number).bits : float16(number).bits;
}

/// By IEEE 754: (-1)^sign * 2^(exponent - bias) * significand.
double value_of(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>(bits >> fraction_bits & ((1U << exponent_bits) - 1));
  const double fraction = bits & ((1U << fraction_bits) - 1);
  const double unit = std::ldexp(1.0, -fraction_bits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction * unit, 1 - bias)
                                         : std::ldexp(1 + fraction * unit, exponent - bias);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

}  // namespace

TEST_CASE("every number has its value, and comes back") {
  for (const bool brain : {false, true}) {
    const int exponent_bits = brain ? 8 : 5;
    const int fraction_bits = brain ? 7 : 10;
    const std::uint32_t infinite = ((1U << exponent_bits) - 1) << fraction_bits;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const float number = to_float(bits, brain);
      const std::uint32_t magnitude = bits & 0x7FFFU;
      if (magnitude > infinite) {
        REQUIRE(std::isnan(number));
        REQUIRE(std::isnan(to_float(to_bits(number, brain), brain)));
        continue;
      }
      REQUIRE(to_bits(number, brain) == bits);
      if (magnitude == infinite) REQUIRE(std::isinf(number));
      else REQUIRE(static_cast<double>(number) == value_of(bits, exponent_bits, fraction_bits));
    }
  }
}

TEST_CASE("numbers between two are rounded to the nearer, halves to the even one") {
  for (const bool brain : {false, true}) {
    const std::uint32_t infinite = brain ? 0x7F80 : 0x7C00;
    for (std::uint32_t bits = 0; bits + 1 < infinite; ++bits) {
      const double low = to_float(bits, brain);
      const double high = to_float(bits + 1, brain);
      const auto middle = static_cast<float>((low + high) / 2);
      if (static_cast<double>(middle) != (low + high) / 2) continue;  // not a float
      REQUIRE(to_bits(middle, brain) == (bits % 2 == 0 ? bits : bits + 1));
      REQUIRE(to_bits(std::nextafter(middle, 0.0F), brain) == bits);
      REQUIRE(to_bits(std::nextafter(middle, std::numeric_limits<float>::infinity()), brain) ==
              bits + 1);
      REQUIRE(to_bits(-middle, brain) == (0x8000U | (bits % 2 == 0 ? bits : bits + 1)));
    }
  }
}

TEST_CASE("what is too large is infinite") {
  REQUIRE(float16(65504.0F).bits == 0x7BFF);
  REQUIRE(float16(65519.0F).bits == 0x7BFF);
  REQUIRE(float16(65520.0F).bits == 0x7C00);
  REQUIRE(float16(-1e30F).bits == 0xFC00);
  REQUIRE(bfloat16(std::numeric_limits<float>::max()).bits == 0x7F80);
  REQUIRE(float16(1e-30F).bits == 0);
}
