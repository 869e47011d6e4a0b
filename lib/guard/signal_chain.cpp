// SPDX-License-Identifier: BSD-3-Clause
#include "guard/signal_chain.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <initializer_list>

namespace waybill::guard {

bool SignalChain::install(Handler handler) noexcept {
  struct sigaction ours = {};
  ours.sa_sigaction = handler;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigfillset(&ours.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGTRAP, SIGILL, SIGFPE})
    sigdelset(&ours.sa_mask, fault);
  // Known before ours can run. Ours may still be there, behind one of the program.
  struct sigaction present = {};
  if (sigaction(signal_, nullptr, &present) != 0) return false;
  const bool already = (present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == handler;
  if (!already) previous_ = present;
  handler_ = handler;
  return sigaction(signal_, &ours, nullptr) == 0;
}

bool SignalChain::in_front() const noexcept {
  struct sigaction present = {};
  return sigaction(signal_, nullptr, &present) == 0 && (present.sa_flags & SA_SIGINFO) != 0 &&
         present.sa_sigaction == handler_;
}

void SignalChain::remove() noexcept {
  if (in_front()) sigaction(signal_, &previous_, nullptr);
}

/// A fault of the program cannot be ignored (signal(7)); a signal that was sent can.
bool SignalChain::ends_here(const siginfo_t* info) const noexcept {
  if ((previous_.sa_flags & SA_SIGINFO) != 0) return false;
  return previous_.sa_handler == SIG_DFL || (previous_.sa_handler == SIG_IGN && info->si_code > 0);
}

void SignalChain::pass_on(siginfo_t* info, void* ucontext) noexcept {
  if (ends_here(info)) return fall_back_to_default(info);
  const struct sigaction theirs = previous_;
  const bool takes_info = (theirs.sa_flags & SA_SIGINFO) != 0;
  if (!takes_info && theirs.sa_handler == SIG_IGN) return;
  const auto flags = static_cast<unsigned>(theirs.sa_flags);
  if ((flags & static_cast<unsigned>(SA_RESETHAND)) != 0) {
    previous_ = {};
    previous_.sa_handler = SIG_DFL;
  }
  // Blocked while it runs: what was blocked before, what it asks for, and the signal itself.
  sigset_t blocked = static_cast<const ucontext_t*>(ucontext)->uc_sigmask;
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    if (sigismember(&theirs.sa_mask, signal) == 1) sigaddset(&blocked, signal);
  }
  if ((flags & static_cast<unsigned>(SA_NODEFER)) == 0) sigaddset(&blocked, signal_);
  sigset_t ours;
  pthread_sigmask(SIG_SETMASK, &blocked, &ours);
  if (takes_info) theirs.sa_sigaction(signal_, info, ucontext);
  else theirs.sa_handler(signal_);
  pthread_sigmask(SIG_SETMASK, &ours, nullptr);
}

/// As the kernel itself would, for all threads. A fault comes again; what was sent, and a trap,
/// whose instruction is over, does not.
void SignalChain::fall_back_to_default(const siginfo_t* info) noexcept {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal_, &standard, nullptr);
  if (info->si_code > 0 && signal_ != SIGTRAP) return;
  // A thread may send itself any siginfo (rt_sigqueueinfo(2)).
  syscall(SYS_rt_tgsigqueueinfo, getpid(), static_cast<pid_t>(syscall(SYS_gettid)), signal_, info);
}

}  // namespace waybill::guard
