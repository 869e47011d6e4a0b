// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/peer/comparison.hpp"

#include <fmt/format.h>

#include <exception>

namespace waybill::communicator {

namespace {

BufferShape memory(const void* address, std::size_t bytes) noexcept {
  BufferShape shape;
  shape.address = address;
  shape.columns = bytes;
  return shape;
}

}  // namespace

transport::FailurePointer Comparison::begin(const transport::Collective& call,
                                            const Operation& operation) {
  call_ = call;
  if (call.contribution_blocks != nullptr) {
    contribution_blocks_ = *call.contribution_blocks;
    call_.contribution_blocks = &contribution_blocks_;
  }
  if (call.result_blocks != nullptr) {
    result_blocks_ = *call.result_blocks;
    call_.result_blocks = &result_blocks_;
  }
  if (call.reduction != nullptr) call_.reduction = &reduction_.emplace(*call.reduction);
  record_ = &operation.record;
  number_ = operation.record.tag;
  mine_ = signature_of(call_, operation.record);
  const auto ranks = static_cast<std::size_t>(call.ranks);
  all_.resize(ranks);
  if (has_blocks(call.call)) {
    Traffic traffic = traffic_of(call_);
    my_traffic_ = std::move(traffic.sent);
    my_traffic_.insert(my_traffic_.end(), traffic.expected.begin(), traffic.expected.end());
    traffic_.resize(my_traffic_.size() * ranks);
  }
  transport::FailurePointer refused(exchange(*state_.control, &mine_, all_.data(), sizeof mine_));
  if (refused != nullptr) return refused;
  stage.store(Stage::comparing, std::memory_order_relaxed);  // nobody else knows it yet
  Adopted::step = step_adopted;
  operation.context->engine.adopt(*this);
  return nullptr;
}

transport::Failure* Comparison::exchange(transport::Channel channel, const void* mine, void* all,
                                         std::size_t bytes) noexcept {
  transport::Collective allgather;
  allgather.call = registry::Call::allgather;
  allgather.channel = channel;
  allgather.rank = call_.rank;
  allgather.ranks = call_.ranks;
  allgather.contribution = memory(mine, bytes);
  allgather.result = memory(all, bytes * static_cast<std::size_t>(call_.ranks));
  return state_.context->transport.collective(allgather, exchange_);
}

bool Comparison::step_adopted(engine::Adopted& self) noexcept {
  return static_cast<Comparison&>(self).step();
}

bool Comparison::exchanged() noexcept {
  if (exchange_.ended_at_post()) return true;
  transport::Completion completion;
  const transport::Outcome outcome =
      state_.context->transport.test(exchange_, {registry::Kind::collective, false}, completion);
  if (outcome == transport::Outcome::in_flight) return false;
  exchange_ = {};
  failure = std::move(completion.failure);
  return true;
}

bool Comparison::step() noexcept {
  if (!exchanged()) return false;
  if (number_ != CallOrder::after(state_.compared.load(std::memory_order_relaxed))) return false;
  try {
    std::optional<std::string> found;
    if (failure == nullptr) found = difference(all_);
    if (failure == nullptr && !found && !my_traffic_.empty()) {
      if (begin_traffic()) return false;
      if (failure == nullptr) found = difference(all_, traffic_);
    }
    conclude(found);
  } catch (const std::exception& exception) {  // no memory
    failure = std::make_unique<transport::Failure>(transport::Failure{
        Errc::transport, registry::name(call_.call), exception.what(), std::nullopt});
    end(Stage::refused);
  }
  return true;
}

/// True while the sizes of blocks are on their way.
bool Comparison::begin_traffic() noexcept {
  if (traffic_begun_) return false;
  traffic_begun_ = true;
  failure.reset(exchange(call_.channel, my_traffic_.data(), traffic_.data(),
                         my_traffic_.size() * sizeof my_traffic_[0]));
  return failure == nullptr;
}

void Comparison::conclude(const std::optional<std::string>& difference) noexcept {
  if (failure != nullptr) return end(Stage::refused);
  if (difference) {
    if (call_.rank == 0) state_.context->registry.mismatch(*record_, *difference);
    failure = std::make_unique<transport::Failure>(transport::Failure{
        Errc::collective_mismatch, registry::name(call_.call), *difference, std::nullopt});
    return end(Stage::refused);
  }
  failure.reset(state_.context->transport.collective(call_, request));
  end(failure == nullptr ? Stage::agreed : Stage::refused);
}

void Comparison::end(Stage how) noexcept {
  state_.compared.store(number_, std::memory_order_relaxed);
  // release pairs with the acquire of the operation's owner, who may destroy this at once
  stage.store(how, std::memory_order_release);
}

}  // namespace waybill::communicator
