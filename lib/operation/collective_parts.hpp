// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a collective has besides its operation: the other buffer, and perhaps a post to come.

#include <atomic>

#include "operation/operation.hpp"
#include "operation/slab.hpp"

namespace waybill::operation {

/// Kept by the operation like a moved-in container.
///
/// A collective whose ranks compare their calls first is handed to the transport by whoever
/// makes progress. That one writes `request` or `failure` and then `stage`, with release;
/// the operation's owner reads `stage`, with acquire, and takes them. Nobody but
/// the owner touches this afterwards.
class CollectiveParts : public Keeper {
 public:
  enum class Stage : std::uint8_t {
    taken,      ///< the operation has its request
    comparing,  ///< the transport has not been asked yet
    agreed,     ///< it has taken the collective: `request` is the owner's to take
    refused,    ///< `failure` says why there is none
  };

  CollectiveParts() = default;
  ~CollectiveParts() override {
    if (companion != nullptr) release(*companion);
  }

  /// The operation's own record is that of the result, this one's that of the contribution,
  /// where there are both. A slot that is never posted: only its record is used, and what watches
  /// its bytes.
  Operation* companion = nullptr;

  std::atomic<Stage> stage{Stage::taken};
  transport::Request request;
  transport::FailurePointer failure;
};

/// Null where there are none.
[[nodiscard]] inline CollectiveParts* parts_of(const Operation& operation) noexcept {
  if (operation.record.kind != registry::Kind::collective) return nullptr;
  return static_cast<CollectiveParts*>(operation.keeper.get());  // collectives keep nothing else
}

[[nodiscard]] inline Operation* companion_of(const Operation& operation) noexcept {
  const CollectiveParts* const parts = parts_of(operation);
  return parts == nullptr ? nullptr : parts->companion;
}

/// Whether the transport can be asked about its request.
[[nodiscard]] inline bool has_request(const Operation& operation) noexcept {
  const CollectiveParts* const parts = parts_of(operation);
  // acquire pairs with the release of whoever handed it over
  return parts == nullptr ||
         parts->stage.load(std::memory_order_acquire) == CollectiveParts::Stage::taken;
}

}  // namespace waybill::operation
