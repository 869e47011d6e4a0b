// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/collective_post.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "communicator/division.hpp"
#include "communicator/peer/comparison.hpp"
#include "communicator/plain_post.hpp"
#include "communicator/watching.hpp"
#include "operation/collective_parts.hpp"
#include "operation/finding_error.hpp"
#include "operation/flight.hpp"
#include "registry/footprint.hpp"

namespace waybill::communicator {

namespace {

using registry::Access;
using registry::Call;
using transport::Collective;

/// Stands for a request that is there later.
constexpr std::uintptr_t to_come = 1;

bool counts(const BufferShape& buffer) noexcept {
  return !buffer.in_place && buffer.elements() != 0;
}

/// One buffer of a collective.
struct Side {
  const BufferShape& buffer;
  const Blocks* blocks;
  Access access;
};

/// All of its record but the bytes.
void describe_side(const CollectivePost& post, const Side& side, int number,
                   Operation& operation) noexcept {
  const int peer = registry::has_root(post.call) ? post.root : any_source;
  const std::size_t bytes = counts(side.buffer) ? bytes_of(side.buffer, side.blocks) : 0;
  describe(*post.state, registry::Kind::collective, bytes,
           static_cast<std::uint32_t>(side.buffer.element_bytes), true, peer, number, post.where,
           operation);
  operation.unusual = true;
  operation.record.call = post.call;
  operation.record.access = side.access;
}

void watch_side(const Side& side, Operation& operation) {
  if (!operation.context->check || !counts(side.buffer)) return;
  operation.record.footprint = footprint_of(side.buffer, side.blocks, *operation.context);
  watch(operation);
}

/// The operation, with a companion where there are two buffers.
Operation& operation_of(const CollectivePost& post, const Collective& call, int number,
                        Comparison*& comparison) {
  const Side contribution{call.contribution, call.contribution_blocks, Access::read};
  const bool packs = call.call != Call::reduce_scatter;  // whose result is one of the blocks
  const Side result{call.result, packs ? call.result_blocks : nullptr, Access::write};
  Operation& operation = operation::acquire();
  if (post.state->control) {
    auto made = std::make_unique<Comparison>(*post.state);
    comparison = made.get();
    operation.keeper = std::move(made);
  }
  if (!counts(call.result)) {
    describe_side(post, contribution, number, operation);
    watch_side(contribution, operation);
    return operation;
  }
  describe_side(post, result, number, operation);
  watch_side(result, operation);
  if (!counts(call.contribution)) return operation;
  Operation& companion = operation::acquire();
  if (operation.keeper == nullptr) {
    operation.keeper = std::make_unique<operation::CollectiveParts>();
  }
  operation::parts_of(operation)->companion = &companion;
  describe_side(post, contribution, number, companion);
  companion.record.sequence = operation.record.sequence;
  watch_side(contribution, companion);
  return operation;
}

/// Whether MPI writes the whole result and only reads the contribution, so that a result which
/// is not the program's buffer will do.
bool fills_result(const Collective& call) noexcept {
  const bool undefined = call.call == Call::exscan && call.rank == 0;
  return counts(call.result) && !call.contribution.in_place && call.result_blocks == nullptr &&
         !undefined;
}

/// What the transport is to work with. Of the results, only those it fills are watched for touches.
Collective begin_both(const Collective& call, Operation& operation) noexcept {
  Collective instead = call;
  Operation* const companion = operation::companion_of(operation);
  Operation* const contribution = operation.record.access == Access::read ? &operation : companion;
  if (contribution != nullptr && counts(call.contribution)) {
    instead.contribution = begin_contents(*contribution, call.contribution);
  }
  if (operation.record.access == Access::write && fills_result(call)) {
    instead.result = begin_contents(operation, call.result);
  }
  return instead;
}

[[noreturn]] void throw_failure(const CollectivePost& post, transport::FailurePointer failure) {
  ErrorDetail detail;
  detail.routine = failure->routine;
  detail.mpi_text = failure->text;
  detail.where = post.where;
  try {
    refuse(post, failure->code, fmt::format("{} failed: {}", failure->routine, failure->text));
  } catch (const Error& error) {
    detail.what = error.what();
  }
  throw Error(failure->code, std::move(detail));
}

void find_concurrent(const Operation& operation, const CallOrder::Turn& turn) noexcept {
  if (!turn.other() || !operation.context->check) return;
  operation.context->registry.concurrent(operation.record, *turn.other());
}

/// At once, or when the ranks have compared their calls.
transport::FailurePointer hand_over(const Collective& call, Operation& operation,
                                    Comparison* comparison) {
  if (comparison != nullptr) {
    operation.request.handle = to_come;
    return comparison->begin(call, operation);
  }
  return transport::FailurePointer(
      operation.context->transport.collective(call, operation.request));
}

/// Hands it over; the number is the next one's if the transport refuses.
Operation& start_in_turn(const CollectivePost& post, const Collective& call,
                         CallOrder::Turn& turn) {
  Comparison* comparison = nullptr;
  Operation& operation = operation_of(post, call, turn.number(), comparison);
  find_concurrent(operation, turn);
  if (const std::unique_ptr<Finding> finding = to_be_thrown(operation)) {
    take_back(operation);
    throw operation::finding_error(*finding, registry::name(post.call));
  }
  operation::note(operation, recorder::EventKind::post);  // before others can see it
  const Collective instead = begin_both(call, operation);
  transport::FailurePointer failure = hand_over(instead, operation, comparison);
  if (failure != nullptr) {
    operation::note(operation, recorder::EventKind::failed);
    take_back(operation);
    throw_failure(post, std::move(failure));
  }
  turn.taken();
  return operation;
}

}  // namespace

std::size_t bytes_of(const BufferShape& buffer, const Blocks* blocks) noexcept {
  return blocks == nullptr ? buffer.bytes() : sum_of_counts(*blocks) * buffer.element_bytes;
}

registry::Footprint footprint_of(const BufferShape& buffer, const Blocks* blocks,
                                 const operation::Context& context) {
  if (blocks == nullptr) return footprint_of(buffer, context);
  if (blocks->displacements().empty()) {
    BufferShape packed = buffer;
    packed.columns = sum_of_counts(*blocks);
    return footprint_of(packed, context);
  }
  if (buffer.element == Element::native) return {};  // gaps within gaps: not watched
  std::vector<registry::BlockList::Block> list;
  for (std::size_t rank = 0; rank < blocks->counts().size(); ++rank) {
    list.push_back(
        {static_cast<std::ptrdiff_t>(blocks->displacements()[rank] * buffer.element_bytes),
         blocks->counts()[rank] * buffer.element_bytes});
  }
  return registry::blocks_footprint(
      buffer.address, 1,
      registry::make_block_list(std::move(list), static_cast<std::ptrdiff_t>(buffer.bytes())));
}

Operation& start(const CollectivePost& post) {
  const Collective call = check(post);
  const engine::Inside inside;
  const PostingSite site{post.where.file_name(), post.where.function_name(), post.where.line()};
  CallOrder::Turn turn(post.state->order, site);
  Operation& operation = start_in_turn(post, call, turn);
  publish_with_care(operation);
  return operation;
}

}  // namespace waybill::communicator
