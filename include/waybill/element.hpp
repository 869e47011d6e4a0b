// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What one element of a buffer is. Arithmetic types travel as MPI's own type
/// of the same name, so that a program on raw MPI can be at the other end;
/// other trivially copyable types travel as bytes.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "waybill/float16.hpp"

namespace waybill {

enum class Element : std::uint8_t {
  byte,
  char_,
  signed_char,
  unsigned_char,
  bool_,
  short_,
  unsigned_short,
  int_,
  unsigned_int,
  long_,
  unsigned_long,
  long_long,
  unsigned_long_long,
  float_,
  double_,
  long_double,
  float_complex,
  double_complex,
  float16,
  bfloat16,
  opaque,  ///< a trivially copyable struct: sent as bytes
  native,  ///< described by an MPI_Datatype, see mpi.hpp
};

/// Types whose bytes may be sent as they are.
template <class T>
concept Sendable = std::is_trivially_copyable_v<std::remove_cv_t<T>> && !std::is_pointer_v<T> &&
                   !std::is_reference_v<T> && !std::is_void_v<T>;

template <class T>
constexpr Element element_of() noexcept {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, std::byte>) return Element::byte;
  else if constexpr (std::is_same_v<U, char>) return Element::char_;
  else if constexpr (std::is_same_v<U, signed char>) return Element::signed_char;
  else if constexpr (std::is_same_v<U, unsigned char>) return Element::unsigned_char;
  else if constexpr (std::is_same_v<U, bool>) return Element::bool_;
  else if constexpr (std::is_same_v<U, short>) return Element::short_;
  else if constexpr (std::is_same_v<U, unsigned short>) return Element::unsigned_short;
  else if constexpr (std::is_same_v<U, int>) return Element::int_;
  else if constexpr (std::is_same_v<U, unsigned int>) return Element::unsigned_int;
  else if constexpr (std::is_same_v<U, long>) return Element::long_;
  else if constexpr (std::is_same_v<U, unsigned long>) return Element::unsigned_long;
  else if constexpr (std::is_same_v<U, long long>) return Element::long_long;
  else if constexpr (std::is_same_v<U, unsigned long long>) return Element::unsigned_long_long;
  else if constexpr (std::is_same_v<U, float>) return Element::float_;
  else if constexpr (std::is_same_v<U, double>) return Element::double_;
  else if constexpr (std::is_same_v<U, long double>) return Element::long_double;
  else if constexpr (std::is_same_v<U, std::complex<float>>) return Element::float_complex;
  else if constexpr (std::is_same_v<U, std::complex<double>>) return Element::double_complex;
  else if constexpr (std::is_same_v<U, float16>) return Element::float16;
  else if constexpr (std::is_same_v<U, bfloat16>) return Element::bfloat16;
  else return Element::opaque;
}

}  // namespace waybill
