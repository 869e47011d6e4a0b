// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/wait.hpp"

#include <algorithm>

#include "engine/waiting.hpp"
#include "operation/calling_frame.hpp"
#include "operation/completion.hpp"
#include "operation/context.hpp"
#include "operation/finding_error.hpp"
#include "operation/flight.hpp"
#include "operation/handle.hpp"
#include "operation/lifecycle.hpp"
#include "operation/stall_watch.hpp"

namespace waybill {

namespace {

using operation::TimePoint;
using operation::Waited;
using recorder::EventKind;

/// Of so many the last is waited for first; more would be finished too late.
constexpr std::size_t batch = 32;

/// Of a handle that is not empty.
Operation* operation_of(const Work& work, const char* routine) {
  Operation* const operation = WorkAccess::usual(work);
  if (operation != nullptr) [[likely]]
    return operation;
  return work.valid() ? &WorkAccess::get(work, routine) : nullptr;
}

/// ... and was not seen complete yet.
Operation* outstanding(const Work& work, const char* routine) {
  Operation* const operation = operation_of(work, routine);
  return operation == nullptr || operation->waited ? nullptr : operation;
}

/// Sees an operation complete; false if the deadline was first.
bool see_complete(Operation& operation, TimePoint deadline) {
  if (!operation::is_complete(operation)) {
    const Waited waited = operation::wait_until(operation, deadline);
    if (waited == Waited::stopped) throw operation::not_running_error("wait_all");
    if (waited == Waited::expired) return false;
  }
  operation.waited = true;
  return true;
}

/// Waits for some of many; false if the deadline was first. Says whether one of
/// them may have failed.
bool wait_for_batch(std::span<Work> works, TimePoint deadline, bool& unusual) {
  const auto see = [&](const Work& work) {
    Operation* const operation = operation_of(work, "wait_all");
    if (operation == nullptr) return true;
    if (!see_complete(*operation, deadline)) return false;
    unusual |= operation->unusual;
    return true;
  };
  // What was posted last mostly ends last: the others then need no wait.
  return see(works.back()) && std::all_of(works.begin(), works.end(), see);
}

/// Wakes the neighbours that these wait for, if they compute.
void visit_neighbours(std::span<Work> works, const char* routine, engine::Waiting& waiting) {
  for (const Work& work : works) {
    const Operation* const operation = outstanding(work, routine);
    if (operation == nullptr) continue;
    waiting.visit(operation->context->neighbours.of(operation->record.peer));
  }
}

/// Looks at all until enough() of them is complete.
template <class Visit>
void look_until(std::span<Work> works, TimePoint deadline, const char* routine,
                const Visit& visit) {
  Operation* any = nullptr;
  for (const Work& work : works) {
    if (Operation* operation = outstanding(work, routine); operation != nullptr) any = operation;
  }
  if (any == nullptr) return;
  const bool thorough = any->context->thorough;
  if (thorough) operation::note_many(*any, EventKind::wait_any, works.size());
  engine::Waiting waiting(any->context->engine);
  while (true) {
    bool done = false;
    for (std::size_t i = 0; i < works.size() && !done; ++i) {
      Operation* const operation = outstanding(works[i], routine);
      if (operation == nullptr || !operation::look(*operation)) continue;
      operation->waited = true;
      if (thorough) operation::note(*operation, EventKind::waited);
      done = visit(i);
    }
    if (done || visit.full()) return;
    if (waiting.over(deadline)) {
      if (thorough) operation::note_many(*any, EventKind::expired, works.size());
      return;
    }
    if (waiting.took_stock() && any->context->stalls != nullptr) {
      any->context->stalls->look_if_due();
    }
    if (waiting.may_visit()) visit_neighbours(works, routine, waiting);
    waiting.idle(deadline);
    if (!operation::running()) throw operation::not_running_error(routine);
  }
}

struct First {
  std::optional<std::size_t>& index;
  bool operator()(std::size_t i) const {
    index = i;
    return true;
  }
  [[nodiscard]] bool full() const { return index.has_value(); }
};

struct All {
  std::vector<std::size_t>& indices;
  bool operator()(std::size_t i) const {
    indices.push_back(i);
    return false;
  }
  [[nodiscard]] bool full() const { return !indices.empty(); }
};

void throw_first_failure(std::span<Work> works) {
  for (const Work& work : works) {
    if (work.valid() && work.error()) operation::throw_error(WorkAccess::get(work, "wait_all"));
  }
}

/// Throws what this thread found.
void throw_finding(std::span<Work> works, const char* routine) {
  for (const Work& work : works) {
    if (const Operation* const operation = operation_of(work, routine); operation != nullptr) {
      return operation::throw_finding(*operation->context, routine);
    }
  }
}

}  // namespace

void wait_all(std::span<Work> works) { static_cast<void>(wait_all_until(works, operation::never)); }

bool wait_all_until(std::span<Work> works, TimePoint deadline) {
  const operation::CallingFrame frame(__builtin_frame_address(0));
  bool unusual = false;
  for (std::size_t begin = 0; begin < works.size(); begin += batch) {
    const std::size_t size = std::min(batch, works.size() - begin);
    if (!wait_for_batch(works.subspan(begin, size), deadline, unusual)) {
      throw_finding(works, "wait_all");
      return false;
    }
  }
  if (unusual) {
    throw_first_failure(works);
    throw_finding(works, "wait_all");
  }
  return true;
}

std::optional<std::size_t> wait_any(std::span<Work> works) {
  return wait_any_until(works, operation::never);
}

std::optional<std::size_t> wait_any_until(std::span<Work> works, TimePoint deadline) {
  const operation::CallingFrame frame(__builtin_frame_address(0));
  std::optional<std::size_t> index;
  throw_finding(works, "wait_any");  // not behind it: which one completed would be lost
  look_until(works, deadline, "wait_any", First{index});
  if (index) throw_first_failure(works.subspan(*index, 1));
  return index;
}

std::vector<std::size_t> wait_some(std::span<Work> works) {
  return wait_some_until(works, operation::never);
}

std::vector<std::size_t> wait_some_until(std::span<Work> works, TimePoint deadline) {
  const operation::CallingFrame frame(__builtin_frame_address(0));
  std::vector<std::size_t> indices;
  throw_finding(works, "wait_some");  // as in wait_any
  look_until(works, deadline, "wait_some", All{indices});
  return indices;
}

}  // namespace waybill
