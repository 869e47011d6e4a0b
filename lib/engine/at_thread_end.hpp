// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a thread gives back when it ends.

#include <pthread.h>

namespace waybill::engine {

/// Calls a function behind the destructors of a thread's thread_local objects, which
/// may still post: a thread_local object of one's own could be gone by then. If
/// what runs later still, the destructors of other pthread keys, arms it once more,
/// it is called once more (POSIX pthread_key_create). Not called for the main
/// thread of a process that ends.
class AtThreadEnd {
 public:
  using Action = void (*)(void*);

  /// Lives as long as the process.
  explicit AtThreadEnd(Action action) noexcept : is_made_(pthread_key_create(&key_, action) == 0) {}

  /// For the calling thread; @p what is not null.
  void arm(void* what) const noexcept {
    if (is_made_) static_cast<void>(pthread_setspecific(key_, what));
  }

 private:
  pthread_key_t key_{};
  const bool is_made_;  // there are PTHREAD_KEYS_MAX; without one nothing is given back
};

}  // namespace waybill::engine
