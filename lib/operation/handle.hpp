// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Between a Work and its operation.

#include <system_error>

#include "operation/context.hpp"
#include "operation/lifecycle.hpp"
#include "operation/operation.hpp"
#include "waybill/work.hpp"

namespace waybill {

class WorkAccess {
 public:
  static Work make(Operation& operation) noexcept {
    return Work(&operation, operation.generation.load(std::memory_order_relaxed));
  }

  /// The operation where nothing speaks against using it, which is the usual case;
  /// else null, and find() says why or finds it after all.
  static Operation* usual(const Work& work) noexcept {
    Operation* const operation = work.operation_;
    if (operation == nullptr || !operation::may_call_at_once() ||
        operation->generation.load(std::memory_order_relaxed) != work.generation_) [[unlikely]] {
      return nullptr;
    }
    return operation;
  }

  /// The operation, or why the handle cannot be used.
  static Operation* find(const Work& work, std::error_code& failure) noexcept;
  /// The same as an exception.
  static Operation& get(const Work& work, const char* routine);

 private:
  /// Not taken over by a Runtime that ends or has ended. The handle is not empty.
  static bool is_live(const Work& work) noexcept {
    return operation::running() &&
           work.operation_->generation.load(std::memory_order_relaxed) == work.generation_;
  }
};

}  // namespace waybill
