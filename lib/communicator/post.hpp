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
  std::uint8_t started = 0;  ///< of a persistent operation: the number of the starting line
};

/// Why a post was refused. Without a failure the transport was never asked. With a
/// finding, it is to be thrown.
struct Refusal {
  std::error_code code;
  transport::FailurePointer failure;
  std::unique_ptr<Finding> finding = nullptr;
};

/// Of the communicator alone, for any call on it.
std::error_code validate_state(const CommunicatorState* state) noexcept;

/// Memory that a transfer can read or write; in place is none.
[[nodiscard]] bool is_usable(const BufferShape& buffer, bool written) noexcept;

/// What the checks before MPI say; no code if all is well.
std::error_code validate(const Post& post) noexcept;

/// The operation in flight, whose only owner is the caller; null if refused.
Operation* start(const Post& post, std::unique_ptr<Keeper> keeper, Refusal& refusal);

/// Where findings are thrown, one that is there: the post would be lost with the exception, so
/// it is to be none.
std::unique_ptr<Finding> to_be_thrown(const Operation& operation);

/// Of an operation that the transport has taken: for all that watches each step.
void publish_with_care(Operation& operation) noexcept;

/// The refusal as an exception with everything a user needs.
Error refusal_error(const Post& post, const Refusal& refusal);

}  // namespace waybill::communicator
