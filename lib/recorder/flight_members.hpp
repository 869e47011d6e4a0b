// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which processes the communicators of a record are made of.

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace waybill::recorder {

struct FlightCommunicator {
  const char* name = "";  ///< lives as long as the process
  int rank = 0;
  int size = 0;
  std::vector<int> members;  ///< ranks in MPI_COMM_WORLD, in order; the first ones if many
};

/// The communicators that a record names. Made by any one thread at a time and read by
/// any, also in a signal handler; an entry never changes once it can be seen.
class FlightMembers {
 public:
  static constexpr std::size_t most_communicators = 256;

  /// The first most_communicators are kept, others counted. Throws std::bad_alloc.
  void add(FlightCommunicator communicator);

  [[nodiscard]] std::size_t listed() const noexcept {
    // pairs with the release in add(): what is listed is complete
    return listed_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t unlisted() const noexcept {
    return unlisted_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] const FlightCommunicator& operator[](std::size_t index) const noexcept {
    return communicators_[index];
  }

 private:
  std::array<FlightCommunicator, most_communicators> communicators_;
  std::atomic<std::size_t> listed_{0};
  std::atomic<std::size_t> unlisted_{0};
};

}  // namespace waybill::recorder
