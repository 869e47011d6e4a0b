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
  word_.fetch_or(announced, std::memory_order_relaxed);
  heavy_fence();  // pairs with the fences of look_for_sleeper() and call()
}

void Parking::withdraw() noexcept { word_.fetch_and(~announced, std::memory_order_relaxed); }

void Parking::sleep() noexcept {
  // acquire pairs with the release in wake()
  for (std::uint32_t word = 0; ((word = word_.load(std::memory_order_acquire)) & announced) != 0;) {
    futex_wait(word_, word, nullptr);
  }
}

void Parking::sleep_for(std::chrono::nanoseconds limit) noexcept {
  timespec time{};
  time.tv_sec = static_cast<time_t>(limit.count() / 1'000'000'000);
  time.tv_nsec = static_cast<long>(limit.count() % 1'000'000'000);
  const std::uint32_t word = word_.load(std::memory_order_acquire);
  if ((word & announced) != 0) futex_wait(word_, word, &time);
  withdraw();
}

void Parking::call() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with heavy_fence() in announce()
  if ((word_.load(std::memory_order_relaxed) & announced) != 0) wake();
}

void Parking::wake() noexcept {
  const std::uint32_t word = word_.fetch_and(~announced, std::memory_order_release);
  if ((word & announced) == 0) return;  // nobody, or another caller did it
  syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace waybill::engine
