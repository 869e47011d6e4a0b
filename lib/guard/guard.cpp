// SPDX-License-Identifier: BSD-3-Clause
#include "guard/guard.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "guard/alternate_stack.hpp"
#include "guard/surroundings.hpp"

namespace waybill::guard {

namespace {

enum Count : unsigned char { with_pages, with_watchpoints, unwatched, unprotected };

Pages head_of(const Guarded& guarded) noexcept {
  const registry::Footprint& bytes = guarded.record.footprint;
  return {bytes.begin, guarded.pages.empty() ? bytes.end : guarded.pages.begin};
}
Pages tail_of(const Guarded& guarded) noexcept {
  const registry::Footprint& bytes = guarded.record.footprint;
  return {guarded.pages.empty() ? bytes.end : guarded.pages.end, bytes.end};
}

void add_one(std::atomic<std::size_t>& count) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

Guard::Guard(int rank, registry::Sink& sink, GuardOptions options)
    : rank_(rank),
      sink_(sink),
      options_(std::move(options)),
      is_on_(!under_valgrind()),
      handler_(pages_, rank, {is_on_, is_on_ && options_.watchpoints}) {
  if (!is_on_) say_once(valgrind);
  if (options_.watchpoints && is_on_ && under_debugger()) {
    watchpoints_.refuse(EBUSY);
    say_once(debugger);
  }
}

Guard::~Guard() {
  for (Guarded* left = pages_.any(); left != nullptr; left = pages_.any()) release(left);
}

Guarded* Guard::protect(const registry::Record& record) noexcept {
  if (!is_on_ || record.footprint.shape != registry::Shape::contiguous) {
    add_one(counts_[unwatched]);
    return nullptr;
  }
  ensure_alternate_stack();
  const bool wants_pages = !PageGuard::whole_pages(record.footprint).empty();
  const bool sees_faults = !wants_pages || handler_.sees_faults();
  if (!sees_faults) say_once(foreign_handler);
  Guarded* const guarded = pages_.enter(record, sees_faults);
  if (guarded == nullptr) {
    add_one(counts_[unwatched]);
    return nullptr;
  }
  if (wants_pages && guarded->pages.empty()) {
    add_one(counts_[unprotected]);
    if (const int failure = pages_.failure()) say_once(no_room, failure);
  }
  watch(*guarded, head_of(*guarded));
  watch(*guarded, tail_of(*guarded));
  if (!guarded->pages.empty()) add_one(counts_[with_pages]);
  if (guarded->edges != nullptr) add_one(counts_[with_watchpoints]);
  if (!guarded->pages.empty() || guarded->edges != nullptr) return guarded;
  add_one(counts_[unwatched]);
  release(guarded);
  return nullptr;
}

Coverage Guard::coverage(const Guarded& guarded) noexcept {
  const Pages head = head_of(guarded);
  const Pages tail = tail_of(guarded);
  Coverage coverage;
  coverage.head = head.end - head.begin;
  coverage.pages = guarded.pages.end - guarded.pages.begin;
  coverage.tail = tail.end - tail.begin;
  for (const WatchedEdge* edge = guarded.edges; edge != nullptr; edge = edge->next) {
    (edge->begin == head.begin ? coverage.head_watched : coverage.tail_watched) = true;
  }
  return coverage;
}

bool Guard::release(Guarded* guarded, bool known) noexcept {
  if (guarded == nullptr) return false;
  PageGuard::Left left;
  pages_.leave(guarded, left);
  while (left.edges != nullptr) watchpoints_.disarm(std::exchange(left.edges, left.edges->next));
  if (left.touched && !known) tell(*left.touched, left.touch);
  return left.touched.has_value();
}

GuardCounts Guard::counts() const noexcept {
  const auto of = [this](Count count) { return counts_[count].load(std::memory_order_relaxed); };
  return {of(with_pages), of(with_watchpoints), of(unwatched), of(unprotected)};
}

void Guard::watch(Guarded& guarded, const Pages& bytes) noexcept {
  if (bytes.empty() || !options_.watchpoints || watchpoints_.refusal() != 0) return;
  if (bytes.end - bytes.begin > WatchedEdge::max_bytes) return;
  if (!handler_.sees_traps()) return say_once(foreign_handler);
  if (WatchedEdge* const edge = watchpoints_.arm(bytes, guarded.serial)) {
    pages_.attach(guarded, edge);
  } else if (const int refusal = watchpoints_.refusal()) {
    say_once(refused, refusal);
  }
}

void Guard::tell(const registry::Record& record, const Touch& touch) noexcept {
  try {
    sink_.report(finding_of(rank_, record, touch));
  } catch (const std::exception&) {  // no memory
  }
}

void Guard::say_once(Reason reason, int error) noexcept {
  // relaxed: the text does not depend on what others have done
  if (!options_.say || said_[reason].exchange(true, std::memory_order_relaxed)) return;
  try {
    options_.say(reason_text(reason, error));
  } catch (...) {  // no memory, or the program's own affair
  }
}

std::string Guard::reason_text(Reason reason, int error) {
  switch (reason) {
    case valgrind:
      return "level guard watches nothing under valgrind, which does not go on correctly after a "
             "fault; buffers are compared instead";
    case debugger:
      return "a debugger traces this process and would take the signals of watchpoints; small "
             "buffers are compared instead";
    case foreign_handler:
      return "the program has installed a handler of SIGSEGV or SIGTRAP after Waybill's: buffers "
             "are compared instead of watched; install it before the Runtime is made";
    case refused:
      return fmt::format(
          "no watchpoints, small buffers are compared instead: perf_event_open: {}{}",
          std::strerror(error),
          error == EACCES || error == EPERM
              ? " (kernel.perf_event_paranoid above 2, or a container's filter, forbids it)"
          : error == EINVAL ? " (it takes Linux 5.13 and hardware breakpoints)"
                            : "");
    case no_room: break;
  }
  return fmt::format(
      "some pages could not be protected, their buffers are compared instead: mprotect: {}{}",
      std::strerror(error), error == ENOMEM ? " (too many mappings: raise vm.max_map_count)" : "");
}

}  // namespace waybill::guard
