// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How bytes move: the interface between operations and a message layer.
///
/// Threading: any number of threads may call at once if the layer below allows
/// it (see Threads); never two threads on one Request. Nothing here throws
/// through: a refusal comes back as a Failure.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "registry/record.hpp"
#include "waybill/buffer.hpp"
#include "waybill/error.hpp"
#include "waybill/status.hpp"

namespace waybill::transport {

/// What the layer below said when it refused.
struct Failure {
  Errc code = Errc::transport;
  std::string routine;                       ///< "MPI_Isend"
  std::string text;                          ///< the layer's own words
  std::optional<std::size_t> message_bytes;  ///< truncated: size of the message, where known
};
using FailurePointer = std::unique_ptr<Failure>;  // null: success

/// A transfer in flight; the transport's own words.
struct Request {
  std::uintptr_t handle = 0;
};

/// Where messages travel: an MPI communicator's handle.
using Channel = std::uintptr_t;

struct Envelope {
  Channel channel = 0;
  int peer = 0;  ///< rank, any_source or null_rank
  int tag = 0;   ///< or any_tag
};

/// How a request ended. For a send only cancelled and failure are set.
struct Completion {
  std::size_t bytes = 0;
  int source = any_source;
  int tag = any_tag;
  bool cancelled = false;
  FailurePointer failure;
};

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport();

  /// Start a transfer. On a Failure the request is not in flight.
  virtual FailurePointer send(const BufferShape& buffer, const Envelope& to,
                              Request& request) noexcept = 0;
  virtual FailurePointer receive(const BufferShape& buffer, const Envelope& from,
                                 Request& request) noexcept = 0;

  /// True once, when the transfer has ended; the request is then gone. Drives progress.
  virtual bool test(Request& request, registry::Kind kind, Completion& completion) noexcept = 0;
  /// Ask to take a receive back; test() says whether it was.
  virtual void cancel(Request& request) noexcept = 0;
  /// Forget a request that will not be tested again; it may still be in flight.
  virtual void abandon(Request& request) noexcept = 0;
  /// Looks for a message without receiving it: true if there is one.
  virtual FailurePointer probe(const Envelope& from, bool& found, Completion& message) noexcept = 0;

  /// Drives every transfer in flight for a moment; returns without waiting.
  virtual void progress() noexcept = 0;

  /// The bytes of a buffer whose element is Element::native.
  virtual registry::Footprint native_footprint(const BufferShape& buffer) noexcept = 0;
};

}  // namespace waybill::transport
