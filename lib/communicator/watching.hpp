// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// From a post on the registry knows the bytes of an operation.

#include "operation/operation.hpp"
#include "waybill/buffer.hpp"

namespace waybill::communicator {

[[nodiscard]] registry::Footprint footprint_of(const BufferShape& buffer,
                                               const operation::Context& context) noexcept;

/// Finds overlaps. The operation's record has its footprint.
void watch(Operation& operation) noexcept;

/// Levels content and guard: remembers the bytes of a watched operation, and from here on a
/// touch of the program's is noticed. Returns what the transport is to work with.
[[nodiscard]] BufferShape begin_contents(Operation& operation, const BufferShape& buffer) noexcept;

/// The transport refused it: ends what is watched, and the operation.
void take_back(Operation& operation) noexcept;

}  // namespace waybill::communicator
