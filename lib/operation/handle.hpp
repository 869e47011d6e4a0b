// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Between a Work and its operation.

#include <system_error>

#include "operation/operation.hpp"
#include "waybill/work.hpp"

namespace waybill {

class WorkAccess {
 public:
  static Work make(Operation& operation) noexcept {
    return Work(&operation, operation.generation.load(std::memory_order_relaxed));
  }

  /// The operation, or why the handle cannot be used.
  static Operation* find(const Work& work, std::error_code& failure) noexcept;
  /// The same as an exception.
  static Operation& get(const Work& work, const char* routine);
};

}  // namespace waybill
