// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Peer checks: ranks tell each other their collective calls before MPI sees them.

#include <optional>
#include <string>
#include <vector>

#include "communicator/directory.hpp"
#include "communicator/peer/signature.hpp"
#include "engine/engine.hpp"
#include "operation/collective_parts.hpp"

namespace waybill::communicator {

/// One call on its way to the transport. A channel of the communicator's own carries the calls
/// of all ranks to all ranks, so the n-th call of each rank meets the n-th of every other, whatever
/// they are. If they fit, the collective is handed to the transport, else it fails on
/// every rank. Where blocks differ from rank to rank, their sizes are told in a second exchange: on
/// the communicator's usual channel, where by then all ranks know that they are at the same call.
///
/// Stepped as an adopted object of the engine: by one thread at a time, which the engine's mutex
/// sees to. Calls of one communicator are handed over in the order of their numbers: one
/// that is not the next waits. The operation's owner sees the end by
/// CollectiveParts::stage, the last thing that a step writes.
class Comparison final : public operation::CollectiveParts, public engine::Adopted {
 public:
  explicit Comparison(CommunicatorState& state) : state_(state) {}

  /// Sends this rank's call. Null, or why the transport refused. @p call is copied.
  transport::FailurePointer begin(const transport::Collective& call, const Operation& operation);

 private:
  static bool step_adopted(engine::Adopted& self) noexcept;
  /// True when `stage` says how it ended.
  bool step() noexcept;
  /// What the ranks told; nothing while some have not.
  bool exchanged() noexcept;
  void conclude(const std::optional<std::string>& difference) noexcept;
  transport::Failure* exchange(transport::Channel channel, const void* mine, void* all,
                               std::size_t bytes) noexcept;
  bool begin_traffic() noexcept;
  void end(Stage how) noexcept;

  CommunicatorState& state_;
  transport::Collective call_;
  Blocks contribution_blocks_;
  Blocks result_blocks_;
  std::optional<Reduction> reduction_;
  const registry::Record* record_ = nullptr;  // of the operation, which waits for this
  int number_ = 0;

  Signature mine_;
  std::vector<Signature> all_;
  std::vector<std::uint64_t> my_traffic_;
  std::vector<std::uint64_t> traffic_;  // of all
  bool traffic_begun_ = false;
  transport::Request exchange_;
};

}  // namespace waybill::communicator
