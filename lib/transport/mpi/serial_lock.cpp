// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/serial_lock.hpp"

#include <sched.h>

namespace waybill::transport::mpi {

void SerialLock::lock() noexcept {
  int spins = 0;
  // acquire pairs with the release in unlock(): MPI's state is handed over
  while (taken_.exchange(true, std::memory_order_acquire)) {
    while (taken_.load(std::memory_order_relaxed)) {
      if (++spins > 64) sched_yield();  // the holder may have lost its core
    }
  }
}

void SerialLock::unlock() noexcept { taken_.store(false, std::memory_order_release); }

}  // namespace waybill::transport::mpi
