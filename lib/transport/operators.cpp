// SPDX-License-Identifier: BSD-3-Clause
#include "transport/operators.hpp"

#include "waybill/float16.hpp"

namespace waybill {

Combiner::~Combiner() = default;

namespace transport {

namespace {

enum class Class { bytes, logical, integer, real, complex, real16, native };

Class class_of(Element element) noexcept {
  switch (element) {
    case Element::byte:
    case Element::opaque: return Class::bytes;
    case Element::bool_: return Class::logical;
    case Element::float_:
    case Element::double_:
    case Element::long_double: return Class::real;
    case Element::float_complex:
    case Element::double_complex: return Class::complex;
    case Element::float16:
    case Element::bfloat16: return Class::real16;
    case Element::native: return Class::native;
    default: return Class::integer;
  }
}

/// Computed as float. A number that is none wins, as in IEEE 754-2019's minimum.
template <class T>
std::shared_ptr<const Combiner> combiner16(Reduce reduce) {
  const auto combiner = [](auto function) -> std::shared_ptr<const Combiner> {
    const auto rounded = [function](const T& earlier, const T& later) {
      return T(function(static_cast<float>(earlier), static_cast<float>(later)));
    };
    return reduction<T>(rounded).own();
  };
  switch (reduce) {
    case Reduce::sum: return combiner([](float a, float b) { return a + b; });
    case Reduce::product: return combiner([](float a, float b) { return a * b; });
    case Reduce::min: return combiner([](float a, float b) { return a < b || a != a ? a : b; });
    case Reduce::max: return combiner([](float a, float b) { return a > b || a != a ? a : b; });
    default: return nullptr;
  }
}

}  // namespace

bool is_defined(Reduce reduce, Element element) noexcept {
  const Class kind = class_of(element);
  if (kind == Class::native) return true;
  switch (reduce) {
    case Reduce::sum:
    case Reduce::product:
      return kind == Class::integer || kind == Class::real || kind == Class::complex ||
             kind == Class::real16;
    case Reduce::min:
    case Reduce::max: return kind == Class::integer || kind == Class::real || kind == Class::real16;
    case Reduce::logical_and:
    case Reduce::logical_or:
    case Reduce::logical_xor: return kind == Class::integer || kind == Class::logical;
    case Reduce::bit_and:
    case Reduce::bit_or:
    case Reduce::bit_xor: return kind == Class::integer || element == Element::byte;
  }
  return false;
}

const char* name(Reduce reduce) noexcept {
  switch (reduce) {
    case Reduce::sum: return "sum";
    case Reduce::product: return "product";
    case Reduce::min: return "min";
    case Reduce::max: return "max";
    case Reduce::logical_and: return "logical_and";
    case Reduce::logical_or: return "logical_or";
    case Reduce::logical_xor: return "logical_xor";
    case Reduce::bit_and: return "bit_and";
    case Reduce::bit_or: return "bit_or";
    case Reduce::bit_xor: return "bit_xor";
  }
  return "unknown";
}

std::shared_ptr<const Combiner> own_version(Reduce reduce, Element element) {
  if (element == Element::float16) return combiner16<float16>(reduce);
  if (element == Element::bfloat16) return combiner16<bfloat16>(reduce);
  return nullptr;
}

}  // namespace transport

}  // namespace waybill
