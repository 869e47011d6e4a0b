// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a signal did before a handler of ours came, and still does afterwards.

#include <signal.h>

#include <atomic>

namespace waybill::recorder {

/// One signal. Installed and restored by one thread; run by any, at any time.
class SignalChain {
 public:
  using Handler = void (*)(int, siginfo_t*, void*);

  /// Puts @p handler in front of what is there, unless it is still somewhere in the
  /// chain from an earlier time. It inherits SA_RESTART and SA_ONSTACK from the one that
  /// it will call; without one it has both. False if the system refuses.
  bool install(int signal, Handler handler) noexcept;

  /// What was there before is there again, if nobody has come in front of us since.
  /// Else we stay in the chain and hand on.
  void restore() noexcept;

  /// Does what would have happened without us: calls the earlier handler as it asked for
  /// (SA_SIGINFO, SA_NODEFER, SA_RESETHAND, its mask), ignores, or ends the process by
  /// the signal's default. May return in each case but the last: a fault ends the
  /// process when its instruction runs again.
  void hand_on(siginfo_t* info, void* context) noexcept;

  /// Nothing would happen by default but the end of the process.
  [[nodiscard]] bool has_default() const noexcept;

 private:
  void call_earlier(siginfo_t* info, void* context) noexcept;
  void end_process(bool fault) noexcept;

  int signal_ = 0;
  Handler ours_ = nullptr;
  struct sigaction earlier_ {};
  bool in_chain_ = false;
  std::atomic<bool> used_up_{false};  // an earlier handler with SA_RESETHAND was called
};

/// The processor raised it, rather than kill() or raise(): its instruction runs again
/// when the handler returns.
[[nodiscard]] bool is_fault(int signal, const siginfo_t* info) noexcept;

}  // namespace waybill::recorder
