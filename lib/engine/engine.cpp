// SPDX-License-Identifier: BSD-3-Clause
#include "engine/engine.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace waybill::engine {

namespace {

constexpr std::uint64_t microsecond = 1'000;
constexpr std::uint64_t millisecond = 1'000'000;
/// How long the thread keeps looking after the last sign of life.
constexpr std::uint64_t patience = 20 * millisecond;
/// A look that takes longer, and longer than four times the fastest, may have moved
/// something: an idle one takes some 20-300 ns.
constexpr std::uint64_t long_look = 2 * microsecond;
/// Fewer long ones are an interrupt, or find nothing in the cache after a sleep.
constexpr int looks_in_a_row = 4;
/// After a knock, how long it looks on when nothing moves.
constexpr std::uint64_t answer_time = 10 * microsecond;
/// A yield that takes longer gave the core to somebody who computes, and that one
/// takes it every time.
constexpr std::uint64_t long_yield = millisecond;
constexpr int yields_in_a_row = 2;
/// Without a core, how often the thread tries whether it has one by now: less and
/// less, since who waits for its turn cannot be woken by a knock.
constexpr std::uint64_t first_probe = 4 * millisecond;
constexpr std::uint64_t longest_probe_spacing = 64 * millisecond;
/// Naps with a core of one's own: as long as an eighth of the time that things have
/// been as they are, so that a change is not seen late by more than that.
constexpr std::uint64_t shortest_nap = 50 * microsecond;
constexpr std::uint64_t longest_nap = millisecond;
/// And when nothing has happened for long: where it must find out by itself that a
/// message has come, and where a neighbour knocks.
constexpr std::uint64_t longest_sleep = 8 * millisecond;
constexpr std::uint64_t longest_sleep_with_knocks = 32 * millisecond;
/// Who has not called for so long computes.
constexpr std::uint64_t call_spacing = 5 * microsecond;
/// Naps without one: each ends with an interrupt and two switches, some 25 us.
constexpr std::uint64_t shared_core_nap = 4 * millisecond;
constexpr std::uint64_t shared_core_nap_without_knocks = millisecond;
constexpr std::uint64_t responsive_nap = 100 * microsecond;

/// Whether a yield that returns at once says that nobody else wants the core. The
/// scheduler before Linux 6.6 lets a thread that has slept go on in any case.
bool yields_tell() noexcept {
  utsname name{};
  if (uname(&name) != 0) return false;
  int major = 0;
  int minor = 0;
  if (std::sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 6 || (major == 6 && minor >= 6);
}

constinit thread_local bool is_background_thread = false;

}  // namespace

std::uint64_t now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

Engine::Engine(transport::Transport& transport, const EngineOptions& options)
    : transport_(transport),
      options_(options),
      parking_(options.door != nullptr ? options.door->word : own_word_),
      yields_tell_(options.may_have_core && yields_tell()),
      has_core_(options.spare_core) {
  if (!options_.thread) return;
  // Signals belong to the application's threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // ... but a fault that cannot be handled ends the process without a word.
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Engine::~Engine() { stop(); }

void Engine::stop() noexcept {
  if (!thread_.joinable()) return;
  // release pairs with the acquire in run(); the fence with the one in announce(),
  // so that a thread about to park sees the order to stop or is woken
  stopping_.store(true, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  parking_.wake();
  parking_.end_nap();
  thread_.join();
}

void Engine::adopt(Adopted& operation) noexcept {
  operation.next = nullptr;
  {
    const std::lock_guard lock(adopted_mutex_);
    (adopted_last_ == nullptr ? adopted_first_ : adopted_last_->next) = &operation;
    adopted_last_ = &operation;
    adopted_count_.fetch_add(1, std::memory_order_relaxed);
  }
}

bool Engine::assist() noexcept {
  if (adopted() == 0) return false;
  const std::unique_lock lock(adopted_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  bool finished = false;
  for (std::size_t i = std::min(turn, adopted()); i-- > 0;) {
    Adopted* const operation = adopted_first_;
    adopted_first_ = operation->next;
    if (adopted_first_ == nullptr) adopted_last_ = nullptr;
    if (operation->step(*operation)) {
      adopted_count_.fetch_sub(1, std::memory_order_relaxed);
      finished = true;
      continue;
    }
    operation->next = nullptr;
    (adopted_last_ == nullptr ? adopted_first_ : adopted_last_->next) = operation;
    adopted_last_ = operation;
  }
  return finished;
}

bool on_background_thread() noexcept { return is_background_thread; }

void Engine::run() noexcept {
  is_background_thread = true;
  pthread_setname_np(pthread_self(), "waybill");
  prctl(PR_SET_TIMERSLACK, 1UL);  // a nap of 50 us is 50 us, not 100
  quiet_since_ = now_ns();
  probe_spacing_ = first_probe;
  // acquire pairs with the release in stop()
  while (!stopping_.load(std::memory_order_acquire)) turn_once();
}

void Engine::turn_once() noexcept {
  if (options_.chore) options_.chore();
  const ActivitySum sum = sum_activity();
  const std::uint64_t now = now_ns();
  const bool news = sum.news() != last_news_;
  last_news_ = sum.news();
  if (news) quiet_since_ = now;
  const bool is_called = sum.inside != 0 || (news && goes_on());
  if (is_called && !was_called_) called_since_ = now;
  was_called_ = is_called;
  if (is_called) {
    nap(now - called_since_);  // who calls drives progress
  } else if (sum.pending() == 0) {
    linger_or_park(now);
  } else {
    drive(now);
  }
}

/// News may have come long before this turn, and the program computes by now. Without
/// a core that cannot be told. A thread that called lately may have lost the core inside
/// a call, and UCX guards those with locks that are spun for: this thread would spin for
/// as long as it keeps the core. So who called since the last turn is left to call again.
bool Engine::goes_on() noexcept {
  if (!has_core_) return true;
  const std::uint64_t end = now_ns() + call_spacing;
  while (now_ns() < end) sched_yield();
  const std::uint64_t before = std::exchange(last_news_, sum_activity().news());
  return last_news_ != before;
}

void Engine::nap(std::uint64_t elapsed) noexcept {
  const std::uint64_t length = has_core_ ? std::clamp(elapsed / 8, shortest_nap, longest_nap)
                               : options_.all_can_knock ? shared_core_nap
                                                        : shared_core_nap_without_knocks;
  if (parking_.nap(std::chrono::nanoseconds(length))) answer();
  if (has_core_) {
    give_way();
  } else {
    look_for_core();
  }
}

/// Nothing is in flight. A program that posts now and then shall not pay for a
/// wake-up each time, so the thread naps unannounced for a while before it parks.
void Engine::linger_or_park(std::uint64_t now) noexcept {
  if (now - quiet_since_ < patience) {
    nap(now - quiet_since_);
    return;
  }
  parking_.announce();
  if (stopping_.load(std::memory_order_relaxed) || sum_activity().pending() != 0) {
    parking_.withdraw();
    return;
  }
  parking_.sleep();
  quiet_since_ = now_ns();
}

/// Judged by the time that looks take, since a transport does not tell.
bool Engine::look() noexcept {
  const std::uint64_t before = now_ns();
  transport_.progress();
  const std::uint64_t taken = now_ns() - before;
  fastest_look_ = std::min(fastest_look_, taken);
  return assist() || taken > std::max(long_look, 4 * fastest_look_);
}

/// The program computes with operations in flight.
void Engine::drive(std::uint64_t now) noexcept {
  int moving = 0;
  while (moving < looks_in_a_row && look()) ++moving;
  if (moving == looks_in_a_row) quiet_since_ = now_ns();
  const std::uint64_t quiet = now - std::min(now, quiet_since_);
  if (quiet > patience) {
    sleep_announced(quiet);
  } else if (!has_core_ && options_.responsiveness == Responsiveness::nap) {
    if (parking_.nap(std::chrono::nanoseconds(responsive_nap))) answer();
  } else if (!has_core_ && options_.all_can_knock) {
    nap(quiet);
  } else {
    give_way();
  }
}

/// Perhaps a receive that will not match for long. A post wakes the thread.
void Engine::sleep_announced(std::uint64_t quiet) noexcept {
  const std::uint64_t longest = options_.all_can_knock ? longest_sleep_with_knocks : longest_sleep;
  const std::uint64_t length = std::clamp(quiet / 8, longest_nap, longest);
  parking_.announce();
  if (stopping_.load(std::memory_order_relaxed) || sum_activity().news() != last_news_) {
    parking_.withdraw();
    return;
  }
  if (parking_.sleep_for(std::chrono::nanoseconds(length))) answer();
}

void Engine::answer() noexcept {
  std::uint64_t end = now_ns() + answer_time;
  while (now_ns() < end && !stopping_.load(std::memory_order_relaxed)) {
    if (look()) end = now_ns() + answer_time;
  }
}

void Engine::give_way() noexcept {
  const std::uint64_t before = now_ns();
  sched_yield();
  if (!yields_tell_) return;
  last_yield_ = now_ns();
  const bool is_long = last_yield_ - before > long_yield;
  if (is_long == has_core_) {
    if (++yields_against_ < yields_in_a_row) return;
    has_core_ = !has_core_;
    probe_spacing_ = first_probe;
  }
  yields_against_ = 0;
}

/// Once in a while, without a core.
void Engine::look_for_core() noexcept {
  if (!yields_tell_ || now_ns() - last_yield_ < probe_spacing_) return;
  probe_spacing_ = std::min(2 * probe_spacing_, longest_probe_spacing);
  for (int i = 0; i < yields_in_a_row; ++i) give_way();
}

}  // namespace waybill::engine
