// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Reading and writing memory that the program may have taken away.

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <type_traits>

namespace waybill::registry {

/// Turns faults inside carefully() into an answer. One for the process: installs a
/// handler for SIGSEGV and SIGBUS, and puts back the one that was there, if its own is
/// still installed. Faults elsewhere go to the handler that was there.
class CarefulAccess {
 public:
  CarefulAccess();
  CarefulAccess(const CarefulAccess&) = delete;
  CarefulAccess& operator=(const CarefulAccess&) = delete;
  ~CarefulAccess();

  /// False if @p access met memory that is not there; it then ended where it was.
  /// Without a CarefulAccess such memory kills the process as usual. @p access must
  /// not own anything: nothing is unwound.
  template <class Access>
  [[nodiscard]] static bool carefully(const Access& access) noexcept {
    Escape here;
    here.outer = escape;
    // The handler blocks no signal, so there is no mask to put back.
    if (sigsetjmp(here.place, 0) != 0) {
      escape = here.outer;
      return false;
    }
    escape = &here;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the handler of this thread reads it
    access();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    escape = here.outer;
    return true;
  }

 private:
  struct Escape {
    sigjmp_buf place;
    Escape* outer;
  };

  static void handle(int signal, siginfo_t* info, void* context);

  static constinit thread_local Escape* escape;
};

}  // namespace waybill::registry
