// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/careful_access.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace waybill::registry {

namespace {

constexpr std::array signals{SIGSEGV, SIGBUS};
struct sigaction former[signals.size()];  // NOLINT: read by the handler, written before it is there

}  // namespace

constinit thread_local CarefulAccess::Escape* CarefulAccess::escape = nullptr;

CarefulAccess::CarefulAccess() {
  struct sigaction own = {};
  own.sa_sigaction = handle;
  // The handler may not come back: the signal must not stay blocked.
  own.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&own.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &former[i]);
    sigaction(signals[i], &own, nullptr);
  }
}

CarefulAccess::~CarefulAccess() {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    struct sigaction now = {};
    sigaction(signals[i], nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == handle) {
      sigaction(signals[i], &former[i], nullptr);
    }
  }
}

void CarefulAccess::handle(int signal, siginfo_t* info, void* context) {
  // Sent by kill() or the like, a signal has a code of 0 or less and no address.
  if (escape != nullptr && info->si_code > 0) siglongjmp(escape->place, 1);
  const struct sigaction& before = former[signal == SIGSEGV ? 0 : 1];
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    // The instruction faults again, and the system does what it always does.
    sigaction(signal, &before, nullptr);
    if (info->si_code <= 0) raise(signal);
  }
}

}  // namespace waybill::registry
