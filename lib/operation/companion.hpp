// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The other buffer of a collective that has two: the operation's own record is that of the
/// result, its companion's that of the contribution.

#include "operation/operation.hpp"
#include "operation/slab.hpp"

namespace waybill::operation {

/// A slot that is never posted: only its record is used, and what watches its bytes. It
/// goes back to the slab with the operation that keeps it.
class Companion final : public Keeper {
 public:
  explicit Companion(Operation& operation) noexcept : operation_(operation) {}
  ~Companion() override { release(operation_); }

  [[nodiscard]] Operation& operation() noexcept { return operation_; }

 private:
  Operation& operation_;
};

/// Null where there is none.
[[nodiscard]] inline Operation* companion_of(Operation& operation) noexcept {
  if (operation.record.kind != registry::Kind::collective || operation.keeper == nullptr) {
    return nullptr;
  }
  return &static_cast<Companion&>(*operation.keeper).operation();  // collectives keep nothing else
}

}  // namespace waybill::operation
