// SPDX-License-Identifier: BSD-3-Clause
#include "operation/stall_watch.hpp"

#include <algorithm>
#include <exception>

#include "operation/collective_parts.hpp"
#include "operation/context.hpp"

namespace waybill::operation {

namespace {

constexpr int looks_per_timeout = 8;

std::chrono::milliseconds between(StallWatch::Clock::time_point from,
                                  StallWatch::Clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(to - from);
}

/// A copy for a report; the bytes do not matter there.
registry::Record without_bytes(const registry::Record& record) {
  registry::Record copy = record;
  copy.footprint = {};
  return copy;
}

/// With whom it is to complete; the collectives of a communicator are remembered together.
int peer_of(const Operation& operation) {
  constexpr int everybody = -3;
  return operation.record.kind == registry::Kind::collective ? everybody : operation.record.peer;
}

}  // namespace

StallWatch::StallWatch(registry::Registry& registry, std::chrono::milliseconds timeout,
                       std::function<void()> stalled)
    : registry_(registry), timeout_(timeout), stalled_(std::move(stalled)), next_look_(0) {}

void StallWatch::posted(const Operation& operation) noexcept {
  try {
    const std::lock_guard lock(table_);
    pending_.insert_or_assign(&operation, Pending{Clock::now()});
  } catch (const std::exception&) {  // no memory
  }
}

void StallWatch::ended(const Operation& operation, bool well) noexcept {
  try {
    const std::lock_guard lock(table_);
    pending_.erase(&operation);
    if (!well) return;
    const bool receive = operation.record.kind == registry::Kind::receive;
    const int peer = receive ? operation.result.source : peer_of(operation);
    const Peer key{operation.context, peer};
    if (last_.size() >= most_peers && last_.count(key) == 0) return;
    auto last = std::make_unique<Last>(Last{without_bytes(operation.record), Clock::now()});
    if (receive) {
      last->record.peer = peer;
      last->record.tag = operation.result.tag;
      last->record.bytes = operation.result.bytes;
    }
    last_[key] = std::move(last);
  } catch (const std::exception&) {
  }
}

void StallWatch::look_if_due() noexcept {
  const Clock::time_point now = Clock::now();
  Clock::rep due = next_look_.load(std::memory_order_relaxed);
  if (now.time_since_epoch().count() < due) return;
  const auto next =
      now + std::max<Clock::duration>(timeout_ / looks_per_timeout, std::chrono::milliseconds(1));
  if (!next_look_.compare_exchange_strong(due, next.time_since_epoch().count(),
                                          std::memory_order_relaxed)) {
    return;  // another thread looks
  }
  try {
    const std::map<std::uint64_t, Stalled> all = find_stalled(now);
    for (const auto& [sequence, one] : all) registry_.stalled(one.record, one.stall);
    if (!all.empty() && stalled_) stalled_();
  } catch (const std::exception&) {  // no memory
  }
}

std::map<std::uint64_t, StallWatch::Stalled> StallWatch::find_stalled(Clock::time_point now) {
  std::map<std::uint64_t, Stalled> found;
  const std::lock_guard lock(table_);
  for (auto& [operation, pending] : pending_) {
    if (pending.told || now - pending.since < timeout_ || over(*operation)) continue;
    pending.told = true;
    const registry::Record& record = operation->record;
    found.emplace(record.sequence,
                  Stalled{without_bytes(record), describe(*operation, pending, now)});
  }
  return found;
}

/// The message has moved, and only the program has not looked yet.
bool StallWatch::over(const Operation& operation) noexcept {
  const std::lock_guard lock(lock_of(operation));
  if (!has_request(operation)) return false;
  return operation.request.ended_at_post() ||
         operation.context->transport.has_ended(operation.request, operation.record.kind);
}

registry::Stall StallWatch::describe(const Operation& operation, const Pending& pending,
                                     Clock::time_point now) const {
  registry::Stall stall;
  stall.age = between(pending.since, now);
  stall.others = pending_.size() - 1;
  if (const auto last = last_.find({operation.context, peer_of(operation)}); last != last_.end()) {
    stall.last.emplace(last->second->record);
    stall.last_age = between(last->second->at, now);
  }
  return stall;
}

}  // namespace waybill::operation
