// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What can be sent and received: spans and containers of trivially copyable
/// elements, single values, raw bytes, 2-D strided views, and (mpi.hpp) an
/// MPI_Datatype. SendBuffer and RecvBuffer are made implicitly from these and
/// only describe memory: they own nothing. The memory must stay alive, and for
/// a send unchanged, until the operation is complete (MPI 3.1 section 3.7.2).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

#include "waybill/element.hpp"

namespace waybill {

/// Rows of equal length at equal distance: a column, a sub-block of a matrix.
/// @p first points at the block's first element; @p row_stride is the distance
/// from one row to the next in elements (>= @p columns when rows > 1).
template <Sendable T>
struct StridedView {
  T* first = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_stride = 0;
};

namespace detail {

/// Where a part of a matrix begins; of none it is none.
template <class T>
constexpr T* part_of(T* matrix, std::size_t elements) noexcept {
  return matrix == nullptr ? nullptr : matrix + elements;
}

}  // namespace detail

/// The column @p column of a row-major matrix with @p rows rows of @p width elements.
template <Sendable T>
[[nodiscard]] constexpr StridedView<T> column(T* matrix, std::size_t rows, std::size_t width,
                                              std::size_t column) noexcept {
  return {detail::part_of(matrix, column), rows, 1, width};
}

/// The block of @p rows x @p columns whose first element is (@p row, @p column)
/// of a row-major matrix with rows of @p width elements.
template <Sendable T>
[[nodiscard]] constexpr StridedView<T> block(T* matrix, std::size_t width, std::size_t row,
                                             std::size_t column, std::size_t rows,
                                             std::size_t columns) noexcept {
  return {detail::part_of(matrix, row * width + column), rows, columns, width};
}

/// Memory as plain data: what SendBuffer and RecvBuffer carry.
/// Contiguous: rows == 1 and columns is the number of elements. native_type is
/// an MPI_Datatype for Element::native, else 0.
struct BufferShape {
  const void* address = nullptr;
  std::size_t columns = 0;  ///< elements in a row
  std::size_t rows = 1;
  std::size_t stride_bytes = 0;   ///< from one row to the next; unused when rows == 1
  std::size_t element_bytes = 1;  ///< for Element::native the data in one, MPI_Type_size
  std::uintptr_t native_type = 0;
  Element element = Element::byte;
  bool may_be_shorter = false;  ///< see up_to()
  bool in_place = false;        ///< see InPlace

  [[nodiscard]] constexpr std::size_t elements() const noexcept { return rows * columns; }
  [[nodiscard]] constexpr std::size_t bytes() const noexcept { return elements() * element_bytes; }
  /// One row of less than 2 GiB of a C++ type: nearly every buffer.
  [[nodiscard]] constexpr bool is_plain() const noexcept {
    constexpr std::size_t most = 0x7FFFFFFF;
    return rows == 1 && element != Element::native && columns <= most && element_bytes <= most &&
           columns * element_bytes <= most;
  }
};

namespace detail {

template <class R>
using ElementType = std::remove_reference_t<std::ranges::range_reference_t<R>>;

template <class R>
concept Contiguous = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    Sendable<std::remove_cv_t<ElementType<R>>>;

template <class R>
inline constexpr bool is_initializer_list = false;
template <class T>
inline constexpr bool is_initializer_list<std::initializer_list<T>> = true;

/// Something that owns its elements and can be moved into an operation.
template <class R>
concept Container =
    !is_initializer_list<std::remove_cvref_t<R>> && Contiguous<R> &&
    !std::ranges::view<std::remove_cvref_t<R>> && !std::is_reference_v<R> && !std::is_const_v<R> &&
    std::move_constructible<R> && !std::ranges::borrowed_range<R>;

template <class T>
constexpr BufferShape contiguous(const T* address, std::size_t count) noexcept {
  return {address, count, 1, 0, sizeof(T), 0, element_of<T>()};
}

template <class T>
constexpr BufferShape strided(const StridedView<T>& view) noexcept {
  return {view.first, view.columns,   view.rows, view.row_stride * sizeof(T), sizeof(T),
          0,          element_of<T>()};
}

/// How much a contiguous buffer of a C++ type holds, in one register: the posting
/// calls are inlined up to here, so that the compiler knows most of it.
class PlainCount {
 public:
  constexpr PlainCount(std::size_t columns, Element element, bool may_be_shorter)
      : word_(columns | static_cast<std::uint64_t>(element) << 32U |
              static_cast<std::uint64_t>(may_be_shorter) << 40U) {}

  /// Elements, of structs bytes; below 2^31.
  [[nodiscard]] constexpr int columns() const { return static_cast<int>(word_); }
  /// Neither opaque nor native.
  [[nodiscard]] constexpr Element element() const {
    return static_cast<Element>(word_ >> 32U & 0xFFU);
  }
  [[nodiscard]] constexpr bool may_be_shorter() const { return (word_ >> 40U & 1U) != 0; }

 private:
  std::uint64_t word_;
};

/// Its bytes and those of one element, both below 2^31, in another register.
class PlainSize {
 public:
  constexpr PlainSize(std::size_t bytes, std::size_t element_bytes)
      : word_(bytes | static_cast<std::uint64_t>(element_bytes) << 32U) {}
  [[nodiscard]] constexpr std::size_t bytes() const { return word_ & 0xFFFFFFFFU; }
  [[nodiscard]] constexpr std::uint32_t element_bytes() const {
    return static_cast<std::uint32_t>(word_ >> 32U);
  }

 private:
  std::uint64_t word_;
};

constexpr PlainCount plain_count(const BufferShape& shape) noexcept {
  const bool is_struct = shape.element == Element::opaque;
  return {is_struct ? shape.bytes() : shape.columns, is_struct ? Element::byte : shape.element,
          shape.may_be_shorter};
}
constexpr PlainSize plain_size(const BufferShape& shape) noexcept {
  return {shape.bytes(), shape.element_bytes};
}

template <class T>
concept SingleValue = Sendable<T> && !std::ranges::range<T> && !std::is_array_v<T>;

}  // namespace detail

/// Says that a collective finds its contribution, or leaves its result, in its other
/// buffer, as MPI_IN_PLACE: `comm.allreduce_async(in_place, sums, Reduce::sum)`.
struct InPlace {};
inline constexpr InPlace in_place;

namespace detail {

constexpr BufferShape shape_in_place() noexcept {
  BufferShape shape;
  shape.rows = 0;
  shape.in_place = true;
  return shape;
}

}  // namespace detail

/// Memory that a send reads.
class SendBuffer {
 public:
  /// A span, vector, array, string, C array ... of trivially copyable elements.
  /// A temporary that owns its elements is refused: move it in as an owned buffer.
  template <detail::Contiguous R>
    requires std::ranges::borrowed_range<R>
  constexpr SendBuffer(R&& range) noexcept  // NOLINT(google-explicit-constructor)
      : shape_(detail::contiguous(std::ranges::data(range), std::ranges::size(range))) {}
  template <class T>
  constexpr SendBuffer(const StridedView<T>& view) noexcept  // NOLINT(google-explicit-constructor)
      : shape_(detail::strided(view)) {}
  constexpr SendBuffer(InPlace /*tag*/) noexcept  // NOLINT(google-explicit-constructor)
      : shape_(detail::shape_in_place()) {}
  constexpr explicit SendBuffer(const BufferShape& shape) noexcept : shape_(shape) {}

  [[nodiscard]] constexpr const BufferShape& shape() const noexcept { return shape_; }

 private:
  BufferShape shape_;
};

/// Memory that a receive writes. Memory that is const does not convert.
class RecvBuffer {
 public:
  template <detail::Contiguous R>
    requires(std::ranges::borrowed_range<R> && !std::is_const_v<detail::ElementType<R>>)
  constexpr RecvBuffer(R&& range) noexcept  // NOLINT(google-explicit-constructor)
      : shape_(detail::contiguous(std::ranges::data(range), std::ranges::size(range))) {}
  template <class T>
    requires(!std::is_const_v<T>)
  constexpr RecvBuffer(const StridedView<T>& view) noexcept  // NOLINT(google-explicit-constructor)
      : shape_(detail::strided(view)) {}
  constexpr RecvBuffer(InPlace /*tag*/) noexcept  // NOLINT(google-explicit-constructor)
      : shape_(detail::shape_in_place()) {}
  constexpr explicit RecvBuffer(const BufferShape& shape) noexcept : shape_(shape) {}

  [[nodiscard]] constexpr const BufferShape& shape() const noexcept { return shape_; }

 private:
  BufferShape shape_;
};

/// One value as a span of length one: `comm.isend(value(x), 1)`.
template <detail::SingleValue T>
[[nodiscard]] constexpr std::span<T, 1> value(T& single) noexcept {
  return std::span<T, 1>(std::addressof(single), 1);
}

/// Raw memory of @p size bytes; travels as MPI_BYTE.
[[nodiscard]] inline std::span<const std::byte> bytes(const void* address,
                                                      std::size_t size) noexcept {
  return {static_cast<const std::byte*>(address), size};
}
[[nodiscard]] inline std::span<std::byte> bytes(void* address, std::size_t size) noexcept {
  return {static_cast<std::byte*>(address), size};
}

/// Says that a message may be shorter than the buffer, so that this is no finding
/// although nobody asks for its size: `comm.irecv(up_to(text), 0)`.
[[nodiscard]] constexpr RecvBuffer up_to(const RecvBuffer& buffer) noexcept {
  BufferShape shape = buffer.shape();
  shape.may_be_shorter = true;
  return RecvBuffer(shape);
}

}  // namespace waybill
