// SPDX-License-Identifier: BSD-3-Clause
#include "engine/engine.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>

namespace waybill::engine {

namespace {

constexpr std::uint64_t microsecond = 1'000;
constexpr std::uint64_t millisecond = 1'000'000;
/// How long the thread keeps looking after the last sign of life.
constexpr std::uint64_t patience = 20 * millisecond;
/// A look that takes longer may have moved something: an idle one takes some 20-50 ns.
constexpr std::uint64_t busy_look = microsecond;
/// The same after a nap, when nothing is in the cache.
constexpr std::uint64_t busy_look_cold = 10 * microsecond;
/// So many of the last 64 looks must have been long. One alone is an interrupt.
constexpr int busy_looks = 4;
constexpr std::uint64_t shortest_nap = 50 * microsecond;
constexpr std::uint64_t longest_nap = 4 * millisecond;

}  // namespace

std::uint64_t now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

Engine::Engine(transport::Transport& transport, const EngineOptions& options)
    : transport_(transport), options_(options) {
  if (!options_.thread) return;
  // Signals belong to the application's threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
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

void Engine::run() noexcept {
  pthread_setname_np(pthread_self(), "waybill");
  prctl(PR_SET_TIMERSLACK, 1UL);  // a nap of 50 us is 50 us, not 100
  quiet_since_ = now_ns();
  // acquire pairs with the release in stop()
  while (!stopping_.load(std::memory_order_acquire)) turn_once();
}

void Engine::turn_once() noexcept {
  const ActivitySum sum = sum_activity();
  const std::uint64_t now = now_ns();
  const bool news = sum.news() != last_news_;
  last_news_ = sum.news();
  if (news) quiet_since_ = now;
  if (sum.pending() == 0) {
    linger_or_park(now);
  } else if (news || sum.inside != 0) {
    nap(news);  // somebody calls and so drives progress
  } else {
    drive(now);
  }
}

/// With a core of its own the thread looks again soon; without one each wake-up
/// is taken from the program, so that naps only grow.
void Engine::nap(bool news) noexcept {
  const std::uint64_t longest = options_.spare_core ? millisecond : longest_nap;
  const bool soon = news && options_.spare_core;
  nap_ns_ = soon ? shortest_nap : std::clamp(nap_ns_ * 2, shortest_nap, longest);
  const timespec time{0, static_cast<long>(nap_ns_)};
  nanosleep(&time, nullptr);
}

/// Nothing is in flight. A program that posts now and then shall not pay for a
/// wake-up each time, so the thread naps unannounced for a while before it parks.
void Engine::linger_or_park(std::uint64_t now) noexcept {
  if (now - quiet_since_ < patience) {
    nap(options_.spare_core);
    return;
  }
  parking_.announce();
  if (stopping_.load(std::memory_order_relaxed) || sum_activity().pending() != 0) {
    parking_.withdraw();
    return;
  }
  parking_.sleep();
  quiet_since_ = now_ns();
  nap_ns_ = 0;
}

/// Judged by the time that looks take, since a transport does not tell.
bool Engine::moved_something(std::uint64_t look_ns) noexcept {
  const bool is_long = look_ns > (nap_ns_ == 0 ? busy_look : busy_look_cold);
  long_looks_ = long_looks_ << 1 | (is_long ? 1U : 0U);
  if (__builtin_popcountll(long_looks_) < busy_looks) return false;
  long_looks_ = 0;
  return true;
}

/// The program computes with operations in flight.
void Engine::drive(std::uint64_t now) noexcept {
  transport_.progress();
  const bool finished = assist();
  const std::uint64_t after = now_ns();
  if (finished || moved_something(after - now)) quiet_since_ = after;
  if (after - quiet_since_ > patience) {
    // Perhaps a receive that will not match for long. A post wakes the thread.
    nap_ns_ = std::clamp(nap_ns_ * 2, shortest_nap, longest_nap);
    parking_.announce();
    if (stopping_.load(std::memory_order_relaxed) || sum_activity().news() != last_news_) {
      parking_.withdraw();
      return;
    }
    parking_.sleep_for(std::chrono::nanoseconds(nap_ns_));
    return;
  }
  nap_ns_ = 0;
  if (options_.responsiveness == Responsiveness::yield) {
    sched_yield();
  } else {
    const timespec time{0, static_cast<long>(shortest_nap)};
    nanosleep(&time, nullptr);
  }
}

}  // namespace waybill::engine
