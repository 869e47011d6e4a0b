// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/signal_chain.hpp"

#include <pthread.h>

namespace waybill::recorder {

namespace {

bool can_be_fault(int signal) noexcept {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

bool is_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

bool is(const struct sigaction& action, SignalChain::Handler handler) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handler;
}

/// Who changed the flags of a handler's stack or calls would surprise it.
int inherited_flags(const struct sigaction& earlier) noexcept {
  constexpr int inherited = SA_RESTART | SA_ONSTACK;
  return is_handler(earlier) ? earlier.sa_flags & inherited : inherited;
}

void change_mask(int how, int signal) noexcept {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(how, &one, nullptr);
}

}  // namespace

bool is_fault(int signal, const siginfo_t* info) noexcept {
  return can_be_fault(signal) && info != nullptr && info->si_code > 0;
}

bool SignalChain::install(int signal, Handler handler) noexcept {
  struct sigaction found {};
  if (sigaction(signal, nullptr, &found) != 0) return false;
  // Who came in front of us at an earlier time calls us still: to be called by it and to
  // call it would never end.
  if (in_chain_ && is_handler(found)) return true;
  signal_ = signal;
  ours_ = handler;
  earlier_ = found;  // before anybody can need it
  used_up_.store(false, std::memory_order_relaxed);
  struct sigaction ours {};
  ours.sa_sigaction = handler;
  sigemptyset(&ours.sa_mask);
  ours.sa_flags = SA_SIGINFO | inherited_flags(found);
  // A fault inside the handler must not end the process before the chain was called.
  // And after a stack overflow there is only the other stack, whatever the earlier one ran on.
  if (can_be_fault(signal)) ours.sa_flags |= SA_NODEFER | SA_ONSTACK;
  if (sigaction(signal, &ours, nullptr) != 0) return false;
  struct sigaction now {};
  // Some libraries keep others from changing what they handle, and say nothing.
  in_chain_ = sigaction(signal, nullptr, &now) == 0 && is(now, handler);
  return in_chain_;
}

void SignalChain::restore() noexcept {
  struct sigaction now {};
  if (!in_chain_ || sigaction(signal_, nullptr, &now) != 0 || !is(now, ours_)) return;
  if (used_up_.load(std::memory_order_relaxed)) earlier_.sa_handler = SIG_DFL;
  if (sigaction(signal_, &earlier_, nullptr) == 0) in_chain_ = false;
}

bool SignalChain::has_default() const noexcept {
  return !is_handler(earlier_) && earlier_.sa_handler == SIG_DFL;
}

void SignalChain::hand_on(siginfo_t* info, void* context) noexcept {
  const bool fault = is_fault(signal_, info);
  if (is_handler(earlier_) && !used_up_.load(std::memory_order_relaxed)) {
    call_earlier(info, context);
  } else if (is_handler(earlier_) || earlier_.sa_handler == SIG_DFL) {
    end_process(fault);
  } else if (fault) {
    sigaction(signal_, &earlier_, nullptr);  // the kernel does not let a fault be ignored
  }
}

void SignalChain::call_earlier(siginfo_t* info, void* context) noexcept {
  if ((earlier_.sa_flags & SA_RESETHAND) != 0) used_up_.store(true, std::memory_order_relaxed);
  // The kernel gives the mask back when the outermost handler returns.
  pthread_sigmask(SIG_BLOCK, &earlier_.sa_mask, nullptr);
  change_mask((earlier_.sa_flags & SA_NODEFER) != 0 ? SIG_UNBLOCK : SIG_BLOCK, signal_);
  if ((earlier_.sa_flags & SA_SIGINFO) != 0) earlier_.sa_sigaction(signal_, info, context);
  else earlier_.sa_handler(signal_);
}

void SignalChain::end_process(bool fault) noexcept {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal_, &standard, nullptr);
  if (fault) return;  // the instruction runs again, and a core shows its place
  change_mask(SIG_UNBLOCK, signal_);
  raise(signal_);
}

}  // namespace waybill::recorder
