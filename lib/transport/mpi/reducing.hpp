// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The collectives that combine elements.

#include <mpi.h>

#include <cstddef>

#include "transport/mpi/collective_request.hpp"
#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// MPI's operators are defined for its own types only, so that elements beyond what an int counts
/// cannot be one derived type: they take several calls, which all ranks make alike.
class Reducing {
 public:
  Reducing(const Collective& call, const OwnOperators& operators, CollectiveRequest& request);

  /// Throws Error if MPI refuses.
  void start();

 private:
  struct Elements {
    const void* from = nullptr;
    void* into = nullptr;
    std::size_t count = 0;
  };

  /// Calls start(from, into, count) for pieces that an int counts.
  template <class Start>
  void for_each_piece(Elements elements, const Start& start);
  [[nodiscard]] const void* behind(const void* begin, std::size_t elements) const noexcept;
  MPI_Request* next_request();
  void reduce(const Elements& elements, int root);
  void reduce_scatter_block();
  void reduce_scatter();
  /// Where MPI's own call does not reach: a reduction for each rank.
  void reduce_to_each(const std::size_t* counts, std::size_t equal_count);

  const Collective& call_;
  CollectiveRequest& request_;
  MPI_Comm channel_;
  MPI_Datatype type_ = MPI_BYTE;
  MPI_Op operation_ = MPI_OP_NULL;
  std::size_t element_bytes_ = 1;  // from one element to the next
  bool used_ = false;              // the request that is always there
};

}  // namespace waybill::transport::mpi
