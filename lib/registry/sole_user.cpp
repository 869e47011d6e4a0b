// SPDX-License-Identifier: BSD-3-Clause
#include "registry/sole_user.hpp"

#include <sched.h>

namespace waybill::registry {

constinit thread_local char this_thread = 0;

void SoleUser::take_away() noexcept {
  const std::lock_guard lock(taking_);
  if (owner_.load(std::memory_order_relaxed) == nullptr) return;
  owner_.store(&taking, std::memory_order_relaxed);
  fence::heavy_fence();  // pairs with the light one in enter()
  while (inside_.load(std::memory_order_acquire)) sched_yield();
  owner_.store(nullptr, std::memory_order_release);
}

}  // namespace waybill::registry
