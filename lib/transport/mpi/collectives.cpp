// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/collectives.hpp"

#include <exception>

#include "transport/mpi/check.hpp"
#include "transport/mpi/collective_buffers.hpp"
#include "transport/mpi/collectives_in_flight.hpp"
#include "transport/mpi/mpi_channels.hpp"
#include "transport/mpi/reducing.hpp"
#include "transport/mpi/world_errors.hpp"

namespace waybill::transport::mpi {

namespace {

using registry::Call;

/// One call of MPI. All throw Error if MPI refuses.
class Starting {
 public:
  Starting(const Collective& call, StridedTypes& strided, const OwnOperators& operators,
           CollectiveRequest& request)
      : call_(call),
        operators_(operators),
        request_(request),
        buffers_(request, strided),
        channel_(unpack_channel(call.channel)) {}

  void start() {
    if (registry::reduces(call_.call)) {
      Reducing(call_, operators_, request_).start();
      return;
    }
    switch (call_.call) {
      case Call::barrier: require(MPI_Ibarrier(channel_, &request_.request), "MPI_Ibarrier"); break;
      case Call::broadcast: broadcast(); break;
      case Call::gather: gather(); break;
      case Call::gatherv: gatherv(); break;
      case Call::scatter: scatter(); break;
      case Call::scatterv: scatterv(); break;
      case Call::allgather: allgather(); break;
      case Call::allgatherv: allgatherv(); break;
      case Call::alltoall: alltoall(); break;
      default: alltoallv(); break;
    }
  }

 private:
  [[nodiscard]] bool is_root() const noexcept { return call_.rank == call_.root; }
  [[nodiscard]] const void* from() const noexcept {
    return call_.contribution.in_place ? MPI_IN_PLACE : call_.contribution.address;
  }
  [[nodiscard]] void* into() const noexcept {
    return call_.result.in_place ? MPI_IN_PLACE : const_cast<void*>(call_.result.address);
  }

  [[nodiscard]] static void* memory(const DividedBuffer& buffer) noexcept {
    return const_cast<void*>(buffer.address);
  }

  void broadcast() {
    const BufferShape& buffer = is_root() ? call_.contribution : call_.result;
    const TypedCount typed = buffers_.whole(buffer);
    require(MPI_Ibcast(const_cast<void*>(buffer.address), typed.count, typed.type, call_.root,
                       channel_, &request_.request),
            "MPI_Ibcast");
  }

  void gather() {
    const TypedCount sent = buffers_.whole(call_.contribution);
    const TypedCount part = is_root() ? buffers_.part(call_.result, call_.ranks) : TypedCount();
    require(MPI_Igather(from(), sent.count, sent.type, into(), part.count, part.type, call_.root,
                        channel_, &request_.request),
            "MPI_Igather");
  }

  void gatherv() {
    const TypedCount sent = buffers_.whole(call_.contribution);
    const DividedBuffer got = is_root() ? result_blocks() : DividedBuffer();
    require(MPI_Igatherv(from(), sent.count, sent.type, memory(got), got.counts, got.displacements,
                         got.type, call_.root, channel_, &request_.request),
            "MPI_Igatherv");
  }

  void scatter() {
    const TypedCount part =
        is_root() ? buffers_.part(call_.contribution, call_.ranks) : TypedCount();
    const TypedCount got = buffers_.whole(call_.result);
    require(MPI_Iscatter(from(), part.count, part.type, into(), got.count, got.type, call_.root,
                         channel_, &request_.request),
            "MPI_Iscatter");
  }

  void scatterv() {
    const DividedBuffer sent = is_root() ? contribution_blocks() : DividedBuffer();
    const TypedCount got = buffers_.whole(call_.result);
    require(MPI_Iscatterv(sent.address, sent.counts, sent.displacements, sent.type, into(),
                          got.count, got.type, call_.root, channel_, &request_.request),
            "MPI_Iscatterv");
  }

  void allgather() {
    const TypedCount sent = buffers_.whole(call_.contribution);
    const TypedCount part = buffers_.part(call_.result, call_.ranks);
    require(MPI_Iallgather(from(), sent.count, sent.type, into(), part.count, part.type, channel_,
                           &request_.request),
            "MPI_Iallgather");
  }

  void allgatherv() {
    const TypedCount sent = buffers_.whole(call_.contribution);
    const DividedBuffer got = result_blocks();
    require(MPI_Iallgatherv(from(), sent.count, sent.type, memory(got), got.counts,
                            got.displacements, got.type, channel_, &request_.request),
            "MPI_Iallgatherv");
  }

  void alltoall() {
    const TypedCount sent = buffers_.part(call_.contribution, call_.ranks);
    const TypedCount got = buffers_.part(call_.result, call_.ranks);
    require(MPI_Ialltoall(from(), sent.count, sent.type, into(), got.count, got.type, channel_,
                          &request_.request),
            "MPI_Ialltoall");
  }

  void alltoallv() {
    const DividedBuffer got = result_blocks();
    // In place, Open MPI 4.1 confuses blocks that are larger than some KiB.
    const DividedBuffer sent =
        call_.contribution.in_place
            ? buffers_.copied(call_.result, *call_.result_blocks, request_.contribution_blocks)
            : contribution_blocks();
    require(MPI_Ialltoallv(sent.address, sent.counts, sent.displacements, sent.type, memory(got),
                           got.counts, got.displacements, got.type, channel_, &request_.request),
            "MPI_Ialltoallv");
  }

  DividedBuffer contribution_blocks() {
    return buffers_.divided(call_.contribution, *call_.contribution_blocks,
                            request_.contribution_blocks);
  }
  DividedBuffer result_blocks() {
    return buffers_.divided(call_.result, *call_.result_blocks, request_.result_blocks);
  }

  const Collective& call_;
  const OwnOperators& operators_;
  CollectiveRequest& request_;
  CollectiveBuffers buffers_;
  const MPI_Comm channel_;
};

/// Calls visit(MPI_Request&) for each until it returns false.
template <class Visit>
bool all_of(CollectiveRequest& request, const Visit& visit) noexcept {
  if (!visit(request.request)) return false;
  for (MPI_Request& one : request.more) {
    if (!visit(one)) return false;
  }
  return true;
}

FailurePointer operator_failure(const CollectiveRequest& request) noexcept {
  // acquire pairs with the release where the text is written
  if (request.own == nullptr || !request.own->told.load(std::memory_order_acquire)) return nullptr;
  return std::make_unique<Failure>(Failure{Errc::reduction_failed, "the reduction's own operator",
                                           request.own->text, std::nullopt});
}

}  // namespace

FailurePointer start_collective(const Collective& call, StridedTypes& strided,
                                const OwnOperators& operators,
                                CollectiveRequest& request) noexcept {
  const WorldErrors::Expected expected;
  try {
    CollectivesInFlight::add(call.channel);
    request.channel = call.channel;
    Starting(call, strided, operators, request).start();
    return nullptr;
  } catch (const Error& error) {
    const auto code = static_cast<Errc>(error.code().value());
    return std::make_unique<Failure>(
        Failure{code, error.routine(), error.mpi_text(), std::nullopt});
  } catch (const std::exception& exception) {
    return std::make_unique<Failure>(
        Failure{Errc::transport, registry::name(call.call), exception.what(), std::nullopt});
  }
}

Outcome test_collective(CollectiveRequest& request, Completion& completion) noexcept {
  const WorldErrors::Expected expected;
  const bool ended = all_of(request, [&](MPI_Request& one) noexcept {
    if (one == MPI_REQUEST_NULL) return true;
    int done = 0;
    const int code = MPI_Test(&one, &done, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) return done != 0;
    one = MPI_REQUEST_NULL;
    if (completion.failure == nullptr) completion.failure = describe_failure(code, "MPI_Test");
    return true;
  });
  if (completion.failure != nullptr) return Outcome::failed;
  if (!ended) return Outcome::in_flight;
  completion.failure = operator_failure(request);
  return completion.failure == nullptr ? Outcome::ended : Outcome::failed;
}

bool has_collective_ended(const CollectiveRequest& request) noexcept {
  const WorldErrors::Expected expected;
  const auto ended = [](MPI_Request one) noexcept {
    int done = 0;
    return MPI_Request_get_status(one, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
  };
  if (!ended(request.request)) return false;
  for (const MPI_Request one : request.more) {
    if (!ended(one)) return false;
  }
  return true;
}

bool is_idle(const CollectiveRequest& request) noexcept {
  if (request.request != MPI_REQUEST_NULL) return false;
  for (const MPI_Request one : request.more) {
    if (one != MPI_REQUEST_NULL) return false;
  }
  return true;
}

}  // namespace waybill::transport::mpi
