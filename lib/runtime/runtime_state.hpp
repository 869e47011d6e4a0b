// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Everything a Runtime owns, in the order it is made.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "communicator/directory.hpp"
#include "engine/engine.hpp"
#include "lifetime/lifetime_watch.hpp"
#include "operation/context.hpp"
#include "operation/stall_watch.hpp"
#include "recorder/outlets.hpp"
#include "registry/registry.hpp"
#include "runtime/flight.hpp"
#include "runtime/node_doors.hpp"
#include "runtime/settings.hpp"
#include "transport/mpi/before_finalize.hpp"
#include "transport/mpi/mpi_channels.hpp"
#include "transport/mpi/mpi_transport.hpp"
#include "transport/mpi/session.hpp"
#include "waybill/info.hpp"

namespace waybill {

namespace runtime {

/// Whom the machinery tells what happens.
struct Hooks {
  registry::Sink& findings;
  registry::Unthrown* unthrown = nullptr;        ///< where findings are thrown
  recorder::FlightRecorder* recorder = nullptr;  ///< if it is on
  std::function<void()> stalled = nullptr;       ///< after reports of stalls
};

/// What communicates; gone after shutdown.
class Machinery {
 public:
  /// Collective over MPI_COMM_WORLD.
  Machinery(const Options& options, const transport::mpi::Session& session, const Hooks& hooks);

  NodeDoors doors;
  Info info;
  transport::mpi::MpiTransport transport;
  transport::mpi::MpiChannels channels;
  registry::Registry registry;
  std::unique_ptr<lifetime::LifetimeWatch> lifetime;  // at level content and above
  std::unique_ptr<registry::ContentWatch> content;    // the same
  std::unique_ptr<guard::Guard> guard;                // at level guard
  std::unique_ptr<operation::StallWatch> stalls;      // with a stall time-out
  engine::Engine engine;
  operation::Context context;
  communicator::Directory directory;
};

/// Lets operations in flight complete for at most @p bound, takes over what is
/// left and reports it. Afterwards every handle is stale. True if nothing had to
/// be abandoned. Only while life is `closing`.
bool drain(Machinery& machinery, std::chrono::milliseconds bound) noexcept;

}  // namespace runtime

class RuntimeState {
 public:
  explicit RuntimeState(runtime::Settings resolved);

  runtime::Settings settings;
  transport::mpi::Session session;
  registry::Unthrown unthrown;  ///< findings that calls throw, if they do
  std::unique_ptr<recorder::Outlets> findings;
  std::optional<runtime::Flight> flight;
  std::atomic<bool> first_finding_recorded{false};  // relaxed: one winner is all that matters
  std::optional<runtime::Machinery> machinery;
  std::optional<transport::mpi::BeforeFinalize> before_finalize;
};

}  // namespace waybill
