// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/one_writer.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace waybill::recorder {

namespace {

constexpr int most_naps = 2000;  // of 1 ms

constinit std::atomic<pid_t> turn{0};  // the thread that has it
static_assert(std::atomic<pid_t>::is_always_lock_free);

pid_t this_thread() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

/// Faults cannot wait, nor a debugger.
sigset_t all_but_faults() noexcept {
  sigset_t set;
  sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&set, fault);
  return set;
}

void nap() noexcept {
  const timespec time{0, 1'000'000};
  nanosleep(&time, nullptr);
}

}  // namespace

OneWriter::OneWriter() noexcept {
  const sigset_t waiting = all_but_faults();
  pthread_sigmask(SIG_BLOCK, &waiting, &before_);
  const pid_t me = this_thread();
  for (int naps = 0; naps <= most_naps; ++naps) {
    pid_t holder = 0;
    // acquire pairs with the release at the former holder's end
    if (turn.compare_exchange_strong(holder, me, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      has_turn_ = true;
      return;
    }
    if (holder == me) {
      interrupted_ = true;
      return;
    }
    nap();
  }
}

OneWriter::~OneWriter() {
  // release pairs with the acquire of the next holder
  if (has_turn_) turn.store(0, std::memory_order_release);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace waybill::recorder
