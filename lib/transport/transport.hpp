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
#include "waybill/blocks.hpp"
#include "waybill/buffer.hpp"
#include "waybill/error.hpp"
#include "waybill/reduction.hpp"
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

/// A transfer; the transport's own words.
struct Request {
  std::uintptr_t handle = 0;

  /// Ended when it was posted, as small sends often do: there is nothing to test.
  [[nodiscard]] bool ended_at_post() const noexcept { return handle == 0; }
};

/// Where messages travel: an MPI communicator's handle.
using Channel = std::uintptr_t;

struct Envelope {
  Channel channel = 0;
  int peer = 0;  ///< rank, any_source or null_rank
  int tag = 0;   ///< or any_tag
};

/// What became of a post: a request, or why not, for the caller to own.
struct Posted {
  Failure* failure = nullptr;
  Request request;
};

/// A collective, all of whose arguments were looked at. Nothing of it need live longer than
/// the post, but the buffers and the operator.
struct Collective {
  registry::Call call = registry::Call::barrier;
  Channel channel = 0;
  int rank = 0;
  int ranks = 1;
  int root = 0;
  BufferShape contribution{};  ///< or in_place, or empty where it does not count
  BufferShape result{};        ///< likewise
  /// Where the call divides a buffer into unequal blocks, else null.
  const Blocks* contribution_blocks = nullptr;
  const Blocks* result_blocks = nullptr;
  const Reduction* reduction = nullptr;
};

/// What a test found; with failed, the Completion says why.
enum class Outcome : std::uint8_t { in_flight, ended, failed, cancelled };

/// How a transfer ended. Of a send nothing but a failure is set.
struct Completion {
  FailurePointer failure;
  std::size_t bytes = 0;
  int source = any_source;
  int tag = any_tag;
};

using detail::PlainCount;

/// What the transport has to know of a request to test it.
struct Tested {
  registry::Kind kind = registry::Kind::send;
  bool cancel_asked = false;  ///< cancel() was called
};

/// Bytes of a plain buffer.
[[nodiscard]] std::size_t bytes_of(PlainCount count) noexcept;

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport();

  /// Start a transfer. Null; or why not, for the caller to own, and the request is
  /// not in flight. A plain pointer, because it comes back in a register.
  [[nodiscard]] virtual Failure* send(const BufferShape& buffer, Envelope to,
                                      Request& request) noexcept = 0;
  [[nodiscard]] virtual Failure* receive(const BufferShape& buffer, Envelope from,
                                         Request& request) noexcept = 0;

  /// The same for one row of elements that are no MPI_Datatype, from or to one
  /// rank with one tag, where any thread may call at any time: for nearly every
  /// message, with all arguments and results in registers.
  [[nodiscard]] virtual Posted send_plain(const void* address, PlainCount count, int peer, int tag,
                                          Channel channel) noexcept;
  [[nodiscard]] virtual Posted receive_plain(const void* address, PlainCount count, int peer,
                                             int tag, Channel channel) noexcept;

  /// Never blocks, whether or not another rank has come. Calls on one channel in order.
  [[nodiscard]] virtual Failure* collective(const Collective& call, Request& request) noexcept = 0;

  /// Of those, on this channel and on this rank. A channel that has some is not to be released.
  [[nodiscard]] virtual std::size_t collectives_in_flight(Channel channel) noexcept = 0;

  /// Anything but in_flight once, when the transfer has ended; the request is
  /// then gone. Drives progress. Not for a request that ended at its post.
  virtual Outcome test(Request& request, Tested what, Completion& completion) noexcept = 0;
  /// Whether test() would find it over, without ending it.
  virtual bool has_ended(const Request& request, registry::Kind kind) noexcept = 0;
  /// Ask to take a receive back; test() says whether it was.
  virtual void cancel(Request& request) noexcept = 0;
  /// Forget a request that will not be tested again; it may still be in flight.
  virtual void abandon(Request& request, registry::Kind kind) noexcept = 0;
  /// Looks for a message without receiving it: true if there is one.
  virtual FailurePointer probe(const Envelope& from, bool& found, Completion& message) noexcept = 0;

  /// Nothing will be posted on this channel any more: what is kept for it goes.
  virtual void forget(Channel channel) noexcept;

  /// Drives every transfer in flight for a moment; returns without waiting.
  virtual void progress() noexcept = 0;

  /// The bytes of a buffer whose element is Element::native.
  virtual registry::Footprint native_footprint(const BufferShape& buffer) noexcept = 0;
};

}  // namespace waybill::transport
