// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A handler of ours in front of the one that the program has.

#include <signal.h>

namespace waybill::guard {

/// One signal, process-wide; an object with static storage. The handler runs on the
/// alternate stack if the thread has one. In it the signals of faults may come
/// again, all others are blocked.
class SignalChain {
 public:
  using Handler = void (*)(int signal, siginfo_t* info, void* ucontext);

  constexpr explicit SignalChain(int signal) noexcept : signal_(signal) {}

  /// Puts @p handler in front. False if the kernel refuses.
  bool install(Handler handler) noexcept;
  /// Takes it away again, unless the program has put another one in front, which
  /// may call ours: then ours stays, and passes everything on.
  void remove() noexcept;
  /// Whether ours comes first.
  [[nodiscard]] bool in_front() const noexcept;

  /// Whether the program has a handler that pass_on() will call.
  [[nodiscard]] bool ends_here(const siginfo_t* info) const noexcept;
  /// Signal-safe; the last thing that our handler does. What would have happened
  /// without us: the program's handler, with its mask and flags (but on the
  /// alternate stack); or the default, whose effect comes when the handler
  /// returns: the instruction faults again, a signal that was sent is sent again.
  void pass_on(siginfo_t* info, void* ucontext) noexcept;

 private:
  void fall_back_to_default(const siginfo_t* info) noexcept;

  const int signal_;
  Handler handler_ = nullptr;
  struct sigaction previous_ = {};
};

}  // namespace waybill::guard
