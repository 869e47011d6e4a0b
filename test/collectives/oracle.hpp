// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What each rank contributes, and what a collective makes of it, computed serially.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "waybill/waybill.hpp"

namespace test_support {

/// A struct, which travels as bytes.
struct Particle {
  double place = 0;
  std::int32_t charge = 0;
  std::int32_t number = 0;
};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_half =
    std::is_same_v<T, waybill::float16> || std::is_same_v<T, waybill::bfloat16>;

/// Element @p i of rank @p rank's contribution. Small whole numbers, so that results are exact
/// in every type and any order.
template <class T>
T element(int rank, std::size_t i) {
  const int number = 1 + static_cast<int>((static_cast<std::size_t>(rank) * 7 + i * 3) % 5);
  if constexpr (std::is_same_v<T, bool>) return number % 2 == 1;
  else if constexpr (std::is_same_v<T, std::byte>) return static_cast<std::byte>(number);
  else if constexpr (is_half<T>) return T(static_cast<float>(number));
  else if constexpr (std::is_same_v<T, Particle>) return {rank + 0.5, number, static_cast<int>(i)};
  else if constexpr (is_complex<T>) return T(static_cast<typename T::value_type>(number), 1);
  else return static_cast<T>(number);
}

/// So many elements of memory, bool too.
template <class T>
class Memory {
 public:
  explicit Memory(std::size_t count) : bytes_(count * sizeof(T) + 1) {
    std::memset(bytes_.data(), 0x6B, bytes_.size());
    if constexpr (std::is_same_v<T, bool>) std::memset(bytes_.data(), 0, bytes_.size());
  }
  [[nodiscard]] std::size_t size() const noexcept { return (bytes_.size() - 1) / sizeof(T); }
  [[nodiscard]] T* data() noexcept { return reinterpret_cast<T*>(bytes_.data()); }
  [[nodiscard]] const T* data() const noexcept { return reinterpret_cast<const T*>(bytes_.data()); }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] std::span<T> all() noexcept { return {data(), size()}; }
  [[nodiscard]] std::span<T> part(std::size_t first, std::size_t count) noexcept {
    return {data() + first, count};
  }
  bool operator==(const Memory& other) const noexcept { return bytes_ == other.bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// A rank's contribution; long double has bytes without meaning, which must not differ.
template <class T>
Memory<T> contribution(int rank, std::size_t count, std::size_t first = 0) {
  Memory<T> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = element<T>(rank, first + i);
  return made;
}

template <class T>
bool same(const T& one, const T& other) {
  if constexpr (is_half<T>) return one.bits == other.bits;
  else if constexpr (std::is_same_v<T, Particle>) {
    return one.place == other.place && one.charge == other.charge && one.number == other.number;
  } else {
    return one == other;
  }
}

template <class T>
T combine(waybill::Reduce reduce, const T& a, const T& b) {
  using waybill::Reduce;
  if constexpr (is_half<T>) {
    return T(combine(reduce, static_cast<float>(a), static_cast<float>(b)));
  } else {
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::byte>) {
      if (reduce == Reduce::sum) return static_cast<T>(a + b);
      if (reduce == Reduce::product) return static_cast<T>(a * b);
      if constexpr (!is_complex<T>) {
        if (reduce == Reduce::min) return a < b ? a : b;
        if (reduce == Reduce::max) return a < b ? b : a;
      }
    }
    if constexpr (std::is_integral_v<T>) {
      if (reduce == Reduce::logical_and) return static_cast<T>(a && b);
      if (reduce == Reduce::logical_or) return static_cast<T>(a || b);
      if (reduce == Reduce::logical_xor) return static_cast<T>(!a != !b);
    }
    if constexpr ((std::is_integral_v<T> && !std::is_same_v<T, bool>) ||
                  std::is_same_v<T, std::byte>) {
      if (reduce == Reduce::bit_and) return static_cast<T>(a & b);
      if (reduce == Reduce::bit_or) return static_cast<T>(a | b);
      if (reduce == Reduce::bit_xor) return static_cast<T>(a ^ b);
    }
    return a;
  }
}

template <class T>
bool defined(waybill::Reduce reduce) {
  using waybill::Reduce;
  switch (reduce) {
    case Reduce::sum:
    case Reduce::product: return !std::is_same_v<T, bool> && !std::is_same_v<T, std::byte>;
    case Reduce::min:
    case Reduce::max:
      return !std::is_same_v<T, bool> && !std::is_same_v<T, std::byte> && !is_complex<T>;
    case Reduce::logical_and:
    case Reduce::logical_or:
    case Reduce::logical_xor: return std::is_integral_v<T>;
    default:
      return (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte>;
  }
}

/// Element @p i, combined over the ranks [0, ranks).
template <class T>
T reduced(waybill::Reduce reduce, int ranks, std::size_t i) {
  T result = element<T>(0, i);
  for (int rank = 1; rank < ranks; ++rank) result = combine(reduce, result, element<T>(rank, i));
  return result;
}

inline const waybill::Reduce all_operators[] = {
    waybill::Reduce::sum,         waybill::Reduce::product,     waybill::Reduce::min,
    waybill::Reduce::max,         waybill::Reduce::logical_and, waybill::Reduce::logical_or,
    waybill::Reduce::logical_xor, waybill::Reduce::bit_and,     waybill::Reduce::bit_or,
    waybill::Reduce::bit_xor};

}  // namespace test_support
