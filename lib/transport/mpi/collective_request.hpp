// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A collective in flight: MPI's requests, and what MPI wants to be there until they end.

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "transport/transport.hpp"
#include "waybill/reduction.hpp"

namespace waybill::transport::mpi {

/// An operator of the program's own at work. MPI calls it on any thread that makes progress.
struct OwnOperator {
  std::shared_ptr<const Combiner> combiner;
  std::atomic<bool> threw{false};  // exchange: the first one to throw writes the text ...
  std::atomic<bool> told{false};   // release: ... which is whole; acquire where it is read
  std::string text{};
};

/// Made at the post, destroyed when the last request has ended. On MPI's side it is named
/// by its address, so it stays where it is.
struct CollectiveRequest {
  CollectiveRequest() = default;
  CollectiveRequest(const CollectiveRequest&) = delete;
  CollectiveRequest& operator=(const CollectiveRequest&) = delete;
  ~CollectiveRequest();

  Channel channel = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  /// Where one call of MPI does not reach: those beyond the first.
  std::vector<MPI_Request> more{};
  /// MPI 3.1 section 5.12: not to be changed before the end. First the counts.
  std::vector<int> contribution_blocks{};
  std::vector<int> result_blocks{};
  std::vector<std::byte> copy{};      ///< see CollectiveBuffers::copied()
  std::vector<MPI_Datatype> types{};  ///< to be freed
  std::unique_ptr<OwnOperator> own{};

  [[nodiscard]] static CollectiveRequest* of(const Request& request) noexcept {
    return reinterpret_cast<CollectiveRequest*>(request.handle);
  }
};

/// MPI's operators that call the program's, and how they find them: by an attribute of the
/// datatype, since MPI hands them nothing else (MPI 3.1 sections 5.9.5 and 6.7.4).
class OwnOperators {
 public:
  OwnOperators();
  OwnOperators(const OwnOperators&) = delete;
  OwnOperators& operator=(const OwnOperators&) = delete;
  ~OwnOperators();

  [[nodiscard]] MPI_Op operation(Operands operands) const noexcept {
    return operands == Operands::in_any_order ? in_any_order_ : in_rank_order_;
  }
  /// An element of the operator's, for one operation; it goes with the request.
  MPI_Datatype element(CollectiveRequest& request, std::shared_ptr<const Combiner> combiner) const;

 private:
  MPI_Op in_any_order_ = MPI_OP_NULL;
  MPI_Op in_rank_order_ = MPI_OP_NULL;
};

}  // namespace waybill::transport::mpi
