// SPDX-License-Identifier: BSD-3-Clause
#include "engine/parking.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace waybill::engine {

namespace {

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* limit) {
  static_assert(sizeof word == sizeof(std::uint32_t));
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, limit, nullptr, 0);
}

}  // namespace

void Parking::announce() noexcept {
  word_.store(1, std::memory_order_relaxed);
  // pairs with the fence in Engine::posted()
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Parking::withdraw() noexcept { word_.store(0, std::memory_order_relaxed); }

void Parking::sleep() noexcept {
  // acquire pairs with the release in wake()
  while (word_.load(std::memory_order_acquire) != 0) futex_wait(word_, 1, nullptr);
}

void Parking::sleep_for(std::chrono::nanoseconds limit) noexcept {
  timespec time{};
  time.tv_sec = static_cast<time_t>(limit.count() / 1'000'000'000);
  time.tv_nsec = static_cast<long>(limit.count() % 1'000'000'000);
  if (word_.load(std::memory_order_acquire) != 0) futex_wait(word_, 1, &time);
  withdraw();
}

void Parking::wake() noexcept {
  if (word_.exchange(0, std::memory_order_release) == 0) return;  // another caller did it
  syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace waybill::engine
