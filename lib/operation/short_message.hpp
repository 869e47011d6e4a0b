// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a Status remembers of a short message until somebody asks for its size.

#include <cstddef>
#include <cstdint>

#include "operation/operation.hpp"
#include "waybill/status.hpp"

namespace waybill {

struct ShortMessage {
  registry::Record record;
  operation::Context* context;
  std::uint32_t epoch;  // of the Runtime that context belongs to
  int source;
  int tag;
  std::size_t bytes;
};

class StatusAccess {
 public:
  /// From now on @p status reports `short-message` if nobody asks for its size.
  static void expect_reader(Status& status, const Operation& operation) noexcept;
};

}  // namespace waybill
