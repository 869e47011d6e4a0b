// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From a collective call to an operation in flight.

#include <string>

#include "communicator/directory.hpp"
#include "operation/operation.hpp"
#include "waybill/source_location.hpp"

namespace waybill::communicator {

/// A call as it arrives. Where it has no such argument: null, or root 0.
struct CollectivePost {
  CommunicatorState* state = nullptr;  // null for an empty communicator
  registry::Call call = registry::Call::barrier;
  const SourceLocation& where;
  const BufferShape* contribution = nullptr;
  const BufferShape* result = nullptr;
  const Blocks* contribution_blocks = nullptr;
  const Blocks* result_blocks = nullptr;
  const Reduction* reduction = nullptr;
  int root = 0;
};

/// What this rank has to do in it: its arguments fit each other, and a buffer that does not
/// count here is empty. Throws Error.
[[nodiscard]] transport::Collective check(const CollectivePost& post);

/// The bytes of both buffers. Only where those of the transport's collective count.
[[nodiscard]] registry::Footprint footprint_of(const BufferShape& buffer, const Blocks* blocks,
                                               const operation::Context& context);
/// How many there are.
[[nodiscard]] std::size_t bytes_of(const BufferShape& buffer, const Blocks* blocks) noexcept;

/// The operation in flight. Throws Error.
Operation& start(const CollectivePost& post);

[[noreturn]] void refuse(const CollectivePost& post, Errc code, const std::string& reason);

}  // namespace waybill::communicator
