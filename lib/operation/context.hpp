// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the operations of one communicator work with. Owned by the Runtime;
/// outlives every operation in flight.

#include <atomic>

#include "engine/door.hpp"
#include "engine/engine.hpp"
#include "registry/registry.hpp"
#include "transport/transport.hpp"

namespace waybill::operation {

struct Context {
  transport::Transport& transport;
  engine::Engine& engine;
  registry::Registry& registry;
  bool check = true;  ///< level basic or above
  /// Set where MPI's thread level allows calls from one thread only: that thread.
  const engine::ThreadActivity* only_thread = nullptr;

  engine::Neighbours neighbours;

  [[nodiscard]] bool thread_allowed() const noexcept {
    return only_thread == nullptr || only_thread == &engine::my_activity();
  }
};

}  // namespace waybill::operation
