// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_transport.hpp"

#include <new>

#include "registry/footprint.hpp"
#include "transport/mpi/check.hpp"
#include "transport/mpi/collectives.hpp"
#include "transport/mpi/collectives_in_flight.hpp"
#include "transport/mpi/completion_of.hpp"
#include "transport/mpi/ended_send.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/mpi_channels.hpp"
#include "transport/mpi/request_word.hpp"
#include "transport/mpi/serial_lock.hpp"
#include "transport/mpi/type_map.hpp"

namespace waybill::transport::mpi {

namespace {

/// Libraries copy messages up to about this size, in bytes, and are done with the send.
constexpr std::size_t often_ended_at_post = 4096;

int mpi_peer(int peer) noexcept {
  if (peer >= 0) [[likely]]
    return peer;
  return peer == null_rank ? MPI_PROC_NULL : MPI_ANY_SOURCE;
}

int mpi_tag(int tag) noexcept { return tag == any_tag ? MPI_ANY_TAG : tag; }

/// Elements. Above this a post costs little beside what it moves.
constexpr int worth_a_persistent_request = 16384;

/// Calls post(TypedCount, MPI_Request&). A type that MPI refuses to build is a Failure.
template <class Post>
FailurePointer with_type(const BufferShape& buffer, StridedTypes& strided, Request& request,
                         const Post& post) noexcept {
  TypedCount typed;
  try {
    typed = typed_count(buffer, strided);
  } catch (const Error& error) {
    return std::make_unique<Failure>(
        Failure{Errc::transport, error.routine(), error.mpi_text(), std::nullopt});
  }
  MPI_Request handle = MPI_REQUEST_NULL;
  FailurePointer failure = post(typed, handle);
  // MPI 3.1 section 4.1.9: a type may be freed while a transfer uses it.
  if (typed.temporary) MPI_Type_free(&typed.type);
  store(request, handle);
  return failure;
}

/// MPI promises no count with MPI_ERR_TRUNCATE. Open MPI gives the size of the
/// message, MPICH a number without meaning.
bool status_tells_message_size() { return is_open_mpi(); }

}  // namespace

MpiTransport::MpiTransport() : status_tells_message_size_(status_tells_message_size()) {
  for (std::size_t element = 0; element < builtin_types_.size(); ++element) {
    builtin_types_[element] = builtin_type(static_cast<Element>(element));
  }
  require(MPI_Comm_dup(MPI_COMM_SELF, &pulse_channel_), "MPI_Comm_dup");
  require(MPI_Comm_set_errhandler(pulse_channel_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  ended_send_ = find_ended_send(pulse_channel_);
  require(MPI_Irecv(nullptr, 0, MPI_BYTE, 0, 0, pulse_channel_, &pulse_), "MPI_Irecv");
}

MpiTransport::~MpiTransport() {
  const Serialized serialized;
  strided_.clear();
  forget_type_maps();
  if (pulse_ != MPI_REQUEST_NULL) {
    MPI_Cancel(&pulse_);
    MPI_Wait(&pulse_, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&pulse_channel_);
}

Posted MpiTransport::send_plain(const void* address, PlainCount count, int peer, int tag,
                                Channel channel) noexcept {
  MPI_Request handle;
  const int code = MPI_Isend(address, count.columns(), type_of(count), peer, tag,
                             unpack_channel(channel), &handle);
  if (code != MPI_SUCCESS) [[unlikely]]
    return {describe_failure(code, "MPI_Isend").release(), {}};
  if (handle == ended_send_) return {};
  if (bytes_of(count) <= often_ended_at_post) return see_whether_ended(handle);
  return {nullptr, to_request(handle)};
}

Posted MpiTransport::receive_plain(const void* address, PlainCount count, int peer, int tag,
                                   Channel channel) noexcept {
  if (count.columns() <= worth_a_persistent_request) {
    const ReceiveKey key(address, count, peer, tag, channel);
    PersistentReceives::Entry* const entry = persistent_.take(key);
    if (entry != nullptr && PersistentReceives::is_ready(*entry, key)) [[likely]]
      return start(*entry);
    if (entry != nullptr) return receive_anew(*entry, address, count, peer, tag, channel);
  }
  return receive_once(address, count, peer, tag, channel);
}

Posted MpiTransport::receive_anew(PersistentReceives::Entry& entry, const void* address,
                                  PlainCount count, int peer, int tag, Channel channel) noexcept {
  const ReceiveKey key(address, count, peer, tag, channel);
  if (PersistentReceives::get_ready(entry, key, type_of(count))) return start(entry);
  return receive_once(address, count, peer, tag, channel);
}

Posted MpiTransport::receive_once(const void* address, PlainCount count, int peer, int tag,
                                  Channel channel) noexcept {
  MPI_Request handle;
  const int code = MPI_Irecv(const_cast<void*>(address), count.columns(), type_of(count), peer, tag,
                             unpack_channel(channel), &handle);
  if (code != MPI_SUCCESS) [[unlikely]]
    return {describe_failure(code, "MPI_Irecv").release(), {}};
  return {nullptr, to_request(handle)};
}

Posted MpiTransport::start(PersistentReceives::Entry& entry) noexcept {
  const int code = MPI_Start(&entry.request);
  if (code != MPI_SUCCESS) [[unlikely]] {
    PersistentReceives::end(entry);
    return {describe_failure(code, "MPI_Start").release(), {}};
  }
  return {nullptr, PersistentReceives::to_request(entry)};
}

Failure* MpiTransport::send(const BufferShape& buffer, Envelope to, Request& request) noexcept {
  const Serialized serialized;
  return with_type(buffer, strided_, request,
                   [&](const TypedCount& typed, MPI_Request& handle) {
                     return check(
                         MPI_Isend(buffer.address, typed.count, typed.type, mpi_peer(to.peer),
                                   to.tag, unpack_channel(to.channel), &handle),
                         "MPI_Isend");
                   })
      .release();
}

Failure* MpiTransport::receive(const BufferShape& buffer, Envelope from,
                               Request& request) noexcept {
  const Serialized serialized;
  return with_type(buffer, strided_, request,
                   [&](const TypedCount& typed, MPI_Request& handle) {
                     return check(MPI_Irecv(const_cast<void*>(buffer.address), typed.count,
                                            typed.type, mpi_peer(from.peer), mpi_tag(from.tag),
                                            unpack_channel(from.channel), &handle),
                                  "MPI_Irecv");
                   })
      .release();
}

void MpiTransport::cancel(Request& request) noexcept {
  const Serialized serialized;
  MPI_Request handle = load(request);
  if (auto* const entry = persistent_.find(request); entry != nullptr) handle = entry->request;
  if (handle != MPI_REQUEST_NULL) MPI_Cancel(&handle);
}

Failure* MpiTransport::collective(const Collective& call, Request& request) noexcept {
  const Serialized serialized;
  auto made = std::unique_ptr<CollectiveRequest>(new (std::nothrow) CollectiveRequest);
  if (made == nullptr) {
    return std::make_unique<Failure>(
               Failure{Errc::transport, registry::name(call.call), "no memory", std::nullopt})
        .release();
  }
  FailurePointer failure = start_collective(call, strided_, operators_, *made);
  if (failure != nullptr) {
    if (is_idle(*made)) CollectivesInFlight::remove(call.channel);
    else static_cast<void>(made.release());  // MPI still uses it
    return failure.release();
  }
  request.handle = reinterpret_cast<std::uintptr_t>(made.release());
  return nullptr;
}

std::size_t MpiTransport::collectives_in_flight(Channel channel) noexcept {
  return CollectivesInFlight::count(channel);
}

void MpiTransport::abandon(Request& request, registry::Kind kind) noexcept {
  if (kind == registry::Kind::collective) {  // MPI 3.1 section 5.12: it cannot be freed
    request.handle = 0;
    return;
  }
  const Serialized serialized;
  MPI_Request handle = load(request);
  if (auto* const entry = persistent_.find(request); entry != nullptr) {
    PersistentReceives::end(*entry);
  } else if (handle != MPI_REQUEST_NULL) {
    MPI_Request_free(&handle);
  }
  store(request, MPI_REQUEST_NULL);
}

void MpiTransport::forget(Channel channel) noexcept {
  const Serialized serialized;
  persistent_.forget(channel);
}

FailurePointer MpiTransport::probe(const Envelope& from, bool& found,
                                   Completion& message) noexcept {
  const Serialized serialized;
  MPI_Status status;
  int flag = 0;
  FailurePointer failure = check(MPI_Iprobe(mpi_peer(from.peer), mpi_tag(from.tag),
                                            unpack_channel(from.channel), &flag, &status),
                                 "MPI_Iprobe");
  found = failure == nullptr && flag != 0;
  if (found) fill(message, status);
  return failure;
}

void MpiTransport::progress() noexcept {
  const Serialized serialized;
  int done = 0;
  MPI_Test(&pulse_, &done, MPI_STATUS_IGNORE);
}

registry::Footprint MpiTransport::native_footprint(const BufferShape& buffer) noexcept {
  const Serialized serialized;
  try {
    return registry::blocks_footprint(buffer.address, buffer.columns,
                                      block_list(unpack_type(buffer.native_type)));
  } catch (const std::bad_alloc&) {
    return {};  // not watched
  }
}

}  // namespace waybill::transport::mpi
