// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Memory that the processes of a node have in common.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace waybill::transport::mpi {

/// A block of zeros for each process. Made once per process and kept until it ends,
/// since a neighbour may look at a block after its owner has left. The name in the
/// file system is gone once everybody has the memory.
class NodeMemory {
 public:
  /// The first call is collective over MPI_COMM_WORLD; later ones return the same.
  static const NodeMemory& of_process(std::size_t bytes_each);

  /// The node's processes as ranks of MPI_COMM_WORLD. Blocks are in this order.
  [[nodiscard]] const std::vector<int>& processes() const noexcept { return processes_; }
  [[nodiscard]] int own_place() const noexcept { return own_place_; }
  /// False if this process is alone or some process could not map the memory.
  [[nodiscard]] bool is_shared() const noexcept { return memory_ != nullptr; }
  [[nodiscard]] std::byte* block(int place) const noexcept {
    return memory_ + static_cast<std::size_t>(place) * bytes_each_;
  }
  /// Why it is not shared.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  explicit NodeMemory(std::size_t bytes_each);

  std::size_t bytes_each_;
  std::vector<int> processes_;
  int own_place_ = 0;
  std::byte* memory_ = nullptr;
  std::string reason_;
};

}  // namespace waybill::transport::mpi
