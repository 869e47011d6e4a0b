// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A collective call as its rank tells the others of it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "registry/record.hpp"
#include "transport/transport.hpp"

namespace waybill::communicator {

/// Plain data of fixed size, the same on all ranks of a job.
struct Signature {
  static constexpr std::uint8_t none = 0xFF;
  static constexpr std::uint8_t own_operator = 0xFE;

  std::uint64_t bytes = 0;  ///< what must be the same everywhere; of unequal blocks 0
  std::int32_t root = -1;   ///< or -1
  std::uint32_t line = 0;
  registry::Call call = registry::Call::barrier;
  std::uint8_t element = none;  ///< an Element, if one is known
  std::uint8_t reduce = none;   ///< one of Reduce, or own_operator
  std::uint8_t operands = 0;    ///< of an own operator
  char file[64] = {};           ///< without directories, cut off if it is long
  char function[64] = {};
};

[[nodiscard]] Signature signature_of(const transport::Collective& call,
                                     const registry::Record& record) noexcept;

/// By rank. What differs, in words, or nothing.
[[nodiscard]] std::optional<std::string> difference(const std::vector<Signature>& all);

/// What a rank sends to each rank and what it expects from each, in bytes.
struct Traffic {
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> expected;
};

/// Whether this call has blocks that differ from rank to rank.
[[nodiscard]] bool has_blocks(registry::Call call) noexcept;

[[nodiscard]] Traffic traffic_of(const transport::Collective& call);

/// @p all has for each rank what it sends, and then what it expects. What does not fit, or nothing.
[[nodiscard]] std::optional<std::string> difference(const std::vector<Signature>& calls,
                                                    const std::vector<std::uint64_t>& all);

}  // namespace waybill::communicator
