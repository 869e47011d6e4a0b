// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From the buffers of a collective to what MPI wants: types, counts, displacements.

#include <mpi.h>

#include <vector>

#include "transport/mpi/collective_request.hpp"
#include "transport/mpi/datatypes.hpp"

namespace waybill::transport::mpi {

/// One block per rank; the numbers live in the request.
struct DividedBuffer {
  const void* address = nullptr;
  MPI_Datatype type = MPI_BYTE;
  const int* counts = nullptr;
  const int* displacements = nullptr;
};

/// All throw Error where MPI refuses a type or its numbers do not reach. Types that are
/// made here are freed with the request.
class CollectiveBuffers {
 public:
  CollectiveBuffers(CollectiveRequest& request, StridedTypes& strided)
      : request_(request), strided_(strided) {}

  /// Of a buffer that does not count: nothing.
  TypedCount whole(const BufferShape& shape);
  /// What belongs to one of @p ranks; the next one's begins one extent of the type times the
  /// count further on.
  TypedCount part(const BufferShape& shape, int ranks);
  /// Keeps its numbers in @p numbers, one of the request's.
  DividedBuffer divided(const BufferShape& shape, const Blocks& blocks, std::vector<int>& numbers);
  /// The same blocks in memory of the request's.
  DividedBuffer copied(const BufferShape& shape, const Blocks& blocks, std::vector<int>& numbers);

 private:
  TypedCount kept(TypedCount typed);
  /// One element of a block; of a struct one byte, so that @p scale of them are an element.
  MPI_Datatype element(const BufferShape& shape, std::size_t& scale);

  CollectiveRequest& request_;
  StridedTypes& strided_;
};

}  // namespace waybill::transport::mpi
