// SPDX-License-Identifier: BSD-3-Clause
// The end of all operations.
#include <time.h>

#include <chrono>
#include <vector>

#include "engine/activity.hpp"
#include "operation/completion.hpp"
#include "operation/slab.hpp"
#include "operation/stall_watch.hpp"
#include "runtime/runtime_state.hpp"

namespace waybill::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using operation::State;

void nap() noexcept {
  const timespec time{0, 50'000};
  nanosleep(&time, nullptr);
}

/// Threads that wait see that the Runtime is closing and leave.
void let_waiters_leave() noexcept {
  const auto limit = Clock::now() + std::chrono::seconds(1);
  while (engine::sum_activity().inside != 0 && Clock::now() < limit) nap();
}

/// Belongs to a handle that somebody still holds, and that nobody looked at.
bool forgotten(const Operation& operation) noexcept {
  return !operation.waited && !operation.detached && !operation.dropped;
}

bool complete(const Operation& operation) noexcept {
  return operation.state.load(std::memory_order_relaxed) == State::complete;
}

std::vector<Operation*> live_operations() {
  std::vector<Operation*> live;
  operation::for_each_live([&](Operation& operation) { live.push_back(&operation); });
  return live;
}

/// Looks at all that is in flight until nothing is or the time is over.
void look_until(std::vector<Operation*>& in_flight, Clock::time_point deadline) noexcept {
  const auto hurry = Clock::now() + std::chrono::milliseconds(2);
  while (true) {
    std::erase_if(in_flight, [](Operation* operation) { return operation::look(*operation); });
    if (in_flight.empty()) return;
    const auto now = Clock::now();
    if (now >= deadline) return;
    if (now > hurry) nap();
  }
}

/// It will never complete here. Receives are taken back; a send goes on inside
/// MPI, so that memory that is Waybill's own stays.
void abandon(Machinery& machinery, Operation& operation) noexcept {
  if (operation.record.kind == registry::Kind::receive) {
    operation::ask_to_cancel(operation);
    for (int i = 0; i < 64 && !operation::look(operation); ++i) {
    }
    if (complete(operation)) return;
  }
  operation::leave_to_transport(operation);
  if (operation.context->stalls != nullptr) operation.context->stalls->ended(operation, false);
  machinery.transport.abandon(operation.request, operation.record.kind);
  static_cast<void>(operation.keeper.release());
  engine::Engine::completed();
}

}  // namespace

bool drain(Machinery& machinery, std::chrono::milliseconds bound) noexcept {
  let_waiters_leave();
  machinery.engine.stop();
  const std::vector<Operation*> live = live_operations();
  std::vector<Operation*> in_flight;
  std::vector<Operation*> pending_at_start;
  const bool check = machinery.context.check;
  for (Operation* operation : live) {
    if (!operation::look(*operation)) {
      in_flight.push_back(operation);
      if (forgotten(*operation)) pending_at_start.push_back(operation);
    } else if (check && forgotten(*operation)) {
      machinery.registry.never_waited(operation->record);
    }
  }
  look_until(in_flight, Clock::now() + bound);
  if (check) {
    for (const Operation* operation : pending_at_start) {
      if (complete(*operation)) machinery.registry.unfinished(operation->record, true, false);
    }
    for (const Operation* operation : in_flight) {
      machinery.registry.unfinished(operation->record, false, !forgotten(*operation));
    }
  }
  for (Operation* operation : in_flight) abandon(machinery, *operation);
  for (Operation* operation : live) operation::retire(*operation);
  return in_flight.empty();
}

}  // namespace waybill::runtime
