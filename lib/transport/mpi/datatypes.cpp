// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/datatypes.hpp"

#include <climits>
#include <cstring>

#include "transport/mpi/check.hpp"

namespace waybill::transport::mpi {

namespace {

constexpr std::size_t max_cached_shapes = 1024;
constexpr std::size_t big_chunk = std::size_t{1} << 30;  // elements

/// Element type and elements per row, with structs counted in bytes.
struct Row {
  MPI_Datatype element;
  std::size_t count;
};
Row row_of(const BufferShape& shape) {
  if (shape.element == Element::native) return {unpack_type(shape.native_type), shape.columns};
  if (shape.element == Element::opaque) return {MPI_BYTE, shape.columns * shape.element_bytes};
  return {builtin_type(shape.element), shape.columns};
}

MPI_Datatype make_strided(const BufferShape& shape) {
  const Row row = row_of(shape);
  MPI_Datatype one_row = make_contiguous(row.element, row.count);
  MPI_Datatype result = MPI_DATATYPE_NULL;
  if (shape.rows <= INT_MAX) {
    require(MPI_Type_create_hvector(static_cast<int>(shape.rows), 1,
                                    static_cast<MPI_Aint>(shape.stride_bytes), one_row, &result),
            "MPI_Type_create_hvector");
  } else {
    MPI_Datatype spaced = MPI_DATATYPE_NULL;
    require(MPI_Type_create_resized(one_row, 0, static_cast<MPI_Aint>(shape.stride_bytes), &spaced),
            "MPI_Type_create_resized");
    result = make_contiguous(spaced, shape.rows);
    MPI_Type_free(&spaced);
  }
  MPI_Type_free(&one_row);
  require(MPI_Type_commit(&result), "MPI_Type_commit");
  return result;
}

}  // namespace

MPI_Datatype make_contiguous(MPI_Datatype element, std::size_t count) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  if (count <= INT_MAX) {
    require(MPI_Type_contiguous(static_cast<int>(count), element, &result), "MPI_Type_contiguous");
    return result;
  }
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  require(MPI_Type_get_extent(element, &lower, &extent), "MPI_Type_get_extent");
  MPI_Datatype chunk = make_contiguous(element, big_chunk);
  MPI_Datatype parts[2] = {make_contiguous(chunk, count / big_chunk),
                           make_contiguous(element, count % big_chunk)};
  int lengths[2] = {1, 1};
  const auto full = static_cast<MPI_Aint>(count / big_chunk * big_chunk);
  MPI_Aint offsets[2] = {0, full * extent};
  require(MPI_Type_create_struct(2, lengths, offsets, parts, &result), "MPI_Type_create_struct");
  MPI_Type_free(&parts[0]);
  MPI_Type_free(&parts[1]);
  MPI_Type_free(&chunk);
  return result;
}

MPI_Datatype builtin_type(Element element) noexcept {
  switch (element) {
    case Element::byte: return MPI_BYTE;
    case Element::char_: return MPI_CHAR;
    case Element::signed_char: return MPI_SIGNED_CHAR;
    case Element::unsigned_char: return MPI_UNSIGNED_CHAR;
    case Element::bool_: return MPI_C_BOOL;
    case Element::short_: return MPI_SHORT;
    case Element::unsigned_short: return MPI_UNSIGNED_SHORT;
    case Element::int_: return MPI_INT;
    case Element::unsigned_int: return MPI_UNSIGNED;
    case Element::long_: return MPI_LONG;
    case Element::unsigned_long: return MPI_UNSIGNED_LONG;
    case Element::long_long: return MPI_LONG_LONG;
    case Element::unsigned_long_long: return MPI_UNSIGNED_LONG_LONG;
    case Element::float_: return MPI_FLOAT;
    case Element::double_: return MPI_DOUBLE;
    case Element::long_double: return MPI_LONG_DOUBLE;
    case Element::float_complex: return MPI_C_FLOAT_COMPLEX;
    case Element::double_complex: return MPI_C_DOUBLE_COMPLEX;
    case Element::float16:
    case Element::bfloat16: return MPI_UINT16_T;  // MPI 3.1 knows neither
    case Element::opaque:
    case Element::native: break;
  }
  return MPI_BYTE;
}

std::size_t StridedTypes::Hash::operator()(const Key& key) const noexcept {
  std::size_t hash = 0;
  for (const std::size_t part : {key.rows, key.columns, key.stride_bytes, key.element_bytes,
                                 static_cast<std::size_t>(key.element)}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

TypedCount StridedTypes::find_or_make(const BufferShape& shape) {
  const Key key{shape.rows, shape.columns, shape.stride_bytes, shape.element_bytes,
                static_cast<std::uintptr_t>(shape.element)};
  const std::lock_guard lock(mutex_);
  if (const auto found = types_.find(key); found != types_.end()) return {found->second, 1, false};
  const MPI_Datatype type = make_strided(shape);
  if (types_.size() >= max_cached_shapes) return {type, 1, true};
  types_.emplace(key, type);
  return {type, 1, false};
}

void StridedTypes::clear() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& entry : types_) MPI_Type_free(&entry.second);
  types_.clear();
}

TypedCount typed_count(const BufferShape& shape, StridedTypes& strided) {
  if (shape.rows != 1) {
    if (shape.elements() == 0) return {MPI_BYTE, 0, false};
    return strided.find_or_make(shape);
  }
  const Row row = row_of(shape);
  if (row.count <= INT_MAX) [[likely]]
    return {row.element, static_cast<int>(row.count), false};
  MPI_Datatype big = make_contiguous(row.element, row.count);
  require(MPI_Type_commit(&big), "MPI_Type_commit");
  return {big, 1, true};
}

std::uintptr_t pack(MPI_Datatype type) noexcept {
  static_assert(sizeof type <= sizeof(std::uintptr_t));
  std::uintptr_t packed = 0;
  std::memcpy(&packed, &type, sizeof type);
  return packed;
}

MPI_Datatype unpack_type(std::uintptr_t packed) noexcept {
  MPI_Datatype type;
  std::memcpy(&type, &packed, sizeof type);
  return type;
}

}  // namespace waybill::transport::mpi
