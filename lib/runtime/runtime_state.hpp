// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Everything a Runtime owns, in the order it is made.

#include <memory>
#include <optional>

#include "communicator/directory.hpp"
#include "engine/engine.hpp"
#include "operation/context.hpp"
#include "recorder/report.hpp"
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

/// What communicates; gone after shutdown.
class Machinery {
 public:
  /// Collective over MPI_COMM_WORLD.
  Machinery(const Options& options, const transport::mpi::Session& session,
            registry::Sink& findings, recorder::FlightRecorder* recorder);

  NodeDoors doors;
  Info info;
  transport::mpi::MpiTransport transport;
  transport::mpi::MpiChannels channels;
  registry::Registry registry;
  std::unique_ptr<registry::ContentWatch> content;  // at level content and above
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
  recorder::Report report;
  std::optional<runtime::Flight> flight;
  std::optional<runtime::Machinery> machinery;
  std::optional<transport::mpi::BeforeFinalize> before_finalize;
};

}  // namespace waybill
