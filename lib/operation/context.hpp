// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the operations of one communicator work with. Owned by the Runtime;
/// outlives every operation in flight.

#include <atomic>

#include "engine/door.hpp"
#include "engine/engine.hpp"
#include "guard/guard.hpp"
#include "recorder/flight_recorder.hpp"
#include "registry/content/content_watch.hpp"
#include "registry/registry.hpp"
#include "registry/unthrown.hpp"
#include "transport/transport.hpp"

namespace waybill::operation {

class StallWatch;

struct Context {
  transport::Transport& transport;
  engine::Engine& engine;
  registry::Registry& registry;
  bool check = true;  ///< level basic or above
  bool peer = false;  ///< ranks compare their collective calls
  engine::Neighbours neighbours{};
  /// Posts take the longer way, and every operation is `unusual`: for what watches each
  /// step. Costs the shortest path nothing.
  bool thorough = false;
  StallWatch* stalls = nullptr;                  ///< with a stall time-out; thorough is set
  registry::ContentWatch* content = nullptr;     ///< level content or above; thorough is set
  guard::Guard* guard = nullptr;                 ///< level guard; content is set
  recorder::FlightRecorder* recorder = nullptr;  ///< if it is on; thorough is set
  /// Where findings are thrown; else null. Then it is thorough too.
  registry::Unthrown* unthrown = nullptr;
};

}  // namespace waybill::operation
