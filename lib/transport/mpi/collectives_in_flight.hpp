// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which MPI communicators must not be freed yet. MPI 3.1 section 6.4.3 lets collectives that are
/// in flight complete as usual, but Open MPI 4.1 then ends the process with a SIGSEGV.

#include <cstddef>

#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// Of all transports of this process; any thread.
class CollectivesInFlight {
 public:
  /// One more, or one less, in flight here.
  static void add(Channel channel);
  static void remove(Channel channel) noexcept;
  [[nodiscard]] static std::size_t count(Channel channel) noexcept;
};

}  // namespace waybill::transport::mpi
