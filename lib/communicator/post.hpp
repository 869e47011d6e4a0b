// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From a call to an operation in flight: validate, describe, hand over.

#include <cstdint>
#include <memory>

#include "communicator/directory.hpp"
#include "operation/operation.hpp"
#include "waybill/source_location.hpp"

namespace waybill::communicator {

struct Post {
  const CommunicatorState* state;  // null for an empty communicator
  registry::Kind kind;
  const BufferShape& buffer;
  int peer;
  int tag;
  const SourceLocation& where;
  const char* routine;  ///< the public call, for errors
  /// What is to be thrown waits for a later call, since the post's caller would lose others.
  bool keeps_findings = false;
  std::uint16_t started = 0;  ///< of a persistent operation: the number of the starting line
};

/// Why a post was refused. Without a failure the transport was never asked. With a
/// finding, it is to be thrown.
struct Refusal {
  std::error_code code;
  transport::FailurePointer failure;
  std::unique_ptr<Finding> finding = nullptr;
};

/// What the checks before MPI say; no code if all is well.
std::error_code validate(const Post& post) noexcept;

/// The operation in flight, whose only owner is the caller; null if refused.
Operation* start(const Post& post, std::unique_ptr<Keeper> keeper, Refusal& refusal);

/// The refusal as an exception with everything a user needs.
Error refusal_error(const Post& post, const Refusal& refusal);

}  // namespace waybill::communicator
