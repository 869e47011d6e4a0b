// SPDX-License-Identifier: BSD-3-Clause
#include "guard/fault_handler.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>

#include "guard/signal_chain.hpp"
#include "guard/watchpoints.hpp"

namespace waybill::guard {

namespace {

constinit SignalChain faults{SIGSEGV};
constinit SignalChain traps{SIGTRAP};

// Sequentially consistent: a handler counts itself in before it looks for the books;
// ~FaultHandler takes the books away before it looks for handlers.
constinit std::atomic<PageGuard*> books{nullptr};
constinit std::atomic<int> inside{0};
constinit std::atomic<int> rank_for_last_words{0};

/// The last fault of this thread that was nobody's.
struct Unclaimed {
  std::uintptr_t address;
  std::uintptr_t instruction;
  std::uint64_t openings;
  unsigned tries;
};
constinit thread_local Unclaimed unclaimed = {};
constinit thread_local bool unwinding = false;

constexpr unsigned max_tries = 1000;

/// What a handler does with the books, if there are any.
class Visit {
 public:
  Visit() noexcept {
    inside.fetch_add(1);
    pages_ = books.load();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() {
    inside.fetch_sub(1);
    errno = errno_;
  }
  [[nodiscard]] PageGuard* pages() const noexcept { return pages_; }

 private:
  const int errno_ = errno;
  PageGuard* pages_;
};

Touch make_touch(const siginfo_t* info, const void* ucontext) noexcept {
  const FaultContext context = fault_context(ucontext);
  Touch touch;
  touch.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  touch.stack_pointer = context.stack_pointer;
  touch.thread = static_cast<pid_t>(syscall(SYS_gettid));
  touch.touching = context.touching;
  touch.trace.instructions[0] = context.instruction;
  touch.trace.count = context.instruction != 0 ? 1 : 0;
  return touch;
}

/// Unwinding reads the stack, which may have protected pages: a fault within it
/// opens them, but does not unwind again.
void add_callers(Touch& touch, std::uintptr_t instruction) noexcept {
  if (unwinding) return;
  unwinding = true;
  capture(touch.trace, instruction);
  unwinding = false;
}

/// Whether to let the instruction try again although the books do not know why it failed.
bool may_try_again(const PageGuard& pages, const Touch& touch) noexcept {
  const std::uint64_t openings = pages.openings();
  const std::uintptr_t instruction = touch.trace.instructions[0];
  const bool same = unclaimed.address == touch.address && unclaimed.instruction == instruction;
  const bool again =
      openings != 0 && (!same || (unclaimed.openings != openings && unclaimed.tries < max_tries));
  unclaimed = {touch.address, instruction, openings, same ? unclaimed.tries + 1 : 1};
  if (!again) unclaimed = {};
  return again;
}

bool is_ours(PageGuard& pages, const siginfo_t* info, const void* ucontext) noexcept {
  if (info->si_code != SEGV_ACCERR) return false;
  Touch touch = make_touch(info, ucontext);
  if (pages.lock().mine()) return pages.open_unseen(touch.address);
  if (pages.touched(touch) == 0) return may_try_again(pages, touch);
  // Only now, since unwinding takes so long that the operation might have ended.
  add_callers(touch, touch.trace.instructions[0]);
  pages.add_trace(touch);
  return true;
}

/// A line each for what was found and would be lost with the process. Not if this
/// thread holds the lock: the books may be half-written.
void say_last_words(PageGuard& pages) noexcept {
  if (pages.lock().mine()) return;
  const int rank = rank_for_last_words.load(std::memory_order_relaxed);  // constant by now
  pages.for_each_touched([rank](const registry::Record& record, const Touch& touch) {
    write_briefly(STDERR_FILENO, rank, record, touch);
  });
}

void on_fault(int /*signal*/, siginfo_t* info, void* ucontext) {
  {
    const Visit visit;
    if (visit.pages() != nullptr) {
      if (is_ours(*visit.pages(), info, ucontext)) return;
      if (faults.ends_here(info)) say_last_words(*visit.pages());
    }
  }
  faults.pass_on(info, ucontext);
}

const Guarded* find(PageGuard& pages, std::uint64_t serial) noexcept {
  const Guarded* at = pages.first();
  while (at != nullptr && at->serial != serial) at = at->next;
  return at == nullptr || at->touched ? nullptr : at;
}

/// What a watchpoint watches, and what it was.
struct Edge {
  Pages bytes;
  std::array<unsigned char, WatchedEdge::max_bytes> before{};
};

Edge edge_of(PageGuard& pages, std::uint64_t serial, std::uintptr_t address) noexcept {
  Edge found;
  const std::lock_guard holding(pages.lock());
  const Guarded* const guarded = find(pages, serial);
  const WatchedEdge* edge = guarded == nullptr ? nullptr : guarded->edges;
  for (; edge != nullptr; edge = edge->next) {
    if (address >= edge->begin && address < edge->end) {
      found = {{edge->begin, edge->end}, edge->before};
    }
  }
  return found;
}

/// Which byte of the watched piece was written, which the signal does not tell. False if
/// none has changed: wide instructions with a mask, as in memcpy(), raise it for bytes
/// that they leave out.
bool find_written(Touch& touch, const Edge& edge) noexcept {
  if (edge.bytes.empty()) return false;
  const std::uintptr_t end =
      touch.address + Watchpoints::piece_bytes({touch.address, edge.bytes.end});
  for (std::uintptr_t at = touch.address; at < end; ++at) {
    const auto now = *reinterpret_cast<const volatile unsigned char*>(at);
    if (now == edge.before[at - edge.bytes.begin]) continue;
    touch.touching = Touching::written;
    touch.address = at;
    return true;
  }
  return false;
}

/// Completes the touch and stops the signals of the operation. False if there is nothing
/// to tell: no byte has changed, or it was told before, or has ended.
bool silence(PageGuard& pages, std::uint64_t serial, Touch& touch) noexcept {
  if (!find_written(touch, edge_of(pages, serial, touch.address))) return false;
  const std::lock_guard holding(pages.lock());
  const Guarded* const guarded = find(pages, serial);
  if (guarded == nullptr) return false;
  for (const WatchedEdge* edge = guarded->edges; edge != nullptr; edge = edge->next) {
    edge->disable();
  }
  return true;
}

void note_trap(PageGuard& pages, std::uint64_t serial, const siginfo_t* info,
               const void* ucontext) noexcept {
  Touch touch = make_touch(info, ucontext);
  touch.at_watchpoint = true;
  if (!silence(pages, serial, touch)) return;
  const std::uintptr_t next_instruction = touch.trace.instructions[0];
  if (touch.trace.count > 0) --touch.trace.instructions[0];  // the trap comes after it
  if (!pages.touched(serial, touch)) return;
  add_callers(touch, next_instruction);
  if (touch.trace.count > 0) --touch.trace.instructions[0];
  pages.add_trace(touch);
}

void on_trap(int /*signal*/, siginfo_t* info, void* ucontext) {
  const std::optional<std::uint64_t> serial = Watchpoints::serial_of(info);
  if (!serial) return traps.pass_on(info, ucontext);
  const Visit visit;
  if (visit.pages() == nullptr || visit.pages()->lock().mine()) return;
  note_trap(*visit.pages(), *serial, info, ucontext);
}

/// A child made by fork() gets the books in one piece.
void before_fork() noexcept {
  if (PageGuard* const pages = books.load()) pages->lock().lock();
}
void after_fork() noexcept {
  if (PageGuard* const pages = books.load(); pages != nullptr && pages->lock().mine())
    pages->lock().unlock();
}
void after_fork_in_child() noexcept {
  inside.store(0);  // the other threads are not there
  after_fork();
}

}  // namespace

FaultHandler::FaultHandler(PageGuard& pages, int rank, Signals signals) noexcept {
  static const int at_fork = pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);
  static_cast<void>(at_fork);
  prepare_stack_traces();
  rank_for_last_words.store(rank, std::memory_order_relaxed);
  books.store(&pages);
  if (signals.faults) faults.install(&on_fault);
  if (signals.traps) traps.install(&on_trap);
}

FaultHandler::~FaultHandler() {
  faults.remove();
  traps.remove();
  books.store(nullptr);
  while (inside.load() != 0) sched_yield();
}

bool FaultHandler::sees_faults() const noexcept { return faults.in_front(); }
bool FaultHandler::sees_traps() const noexcept { return traps.in_front(); }

}  // namespace waybill::guard
