// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From a BufferShape to what MPI wants: a datatype and an int count.

#include <mpi.h>

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "waybill/buffer.hpp"

namespace waybill::transport::mpi {

/// MPI's type of an element; MPI_BYTE for structs, which are counted in bytes.
MPI_Datatype builtin_type(Element element) noexcept;

/// @p count consecutive elements as one uncommitted type; @p count may exceed INT_MAX.
/// Throws Error if MPI refuses it.
MPI_Datatype make_contiguous(MPI_Datatype element, std::size_t count);

struct TypedCount {
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
  bool temporary = false;  ///< the caller frees the type; MPI allows it while in use
};

/// Committed types of 2-D strided views, made once per shape. Thread-safe.
class StridedTypes {
 public:
  StridedTypes() = default;
  StridedTypes(const StridedTypes&) = delete;
  StridedTypes& operator=(const StridedTypes&) = delete;

  /// Never frees a type before clear(), since another thread may be about to use
  /// it; beyond a thousand shapes types are temporary.
  TypedCount find_or_make(const BufferShape& shape);
  void clear() noexcept;

 private:
  struct Key {
    std::size_t rows, columns, stride_bytes, element_bytes;
    std::uintptr_t element;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  std::mutex mutex_;
  std::unordered_map<Key, MPI_Datatype, Hash> types_;
};

/// Any shape; counts beyond INT_MAX become one derived type (MPI 3 has int counts
/// only), so that nothing is copied or split. Throws Error if MPI refuses a type.
TypedCount typed_count(const BufferShape& shape, StridedTypes& strided);

/// An MPI_Datatype as plain data and back; a pointer in one library, an int in another.
std::uintptr_t pack(MPI_Datatype type) noexcept;
MPI_Datatype unpack_type(std::uintptr_t packed) noexcept;

}  // namespace waybill::transport::mpi
