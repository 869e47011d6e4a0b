// SPDX-License-Identifier: BSD-3-Clause
#include "engine/parking.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace waybill::engine {

namespace {

// Not FUTEX_PRIVATE_FLAG: a neighbour's process may wake.
void futex_wait(Parking::Word& word, std::uint32_t value, const timespec* limit) {
  static_assert(sizeof word == sizeof(std::uint32_t));
  syscall(SYS_futex, &word, FUTEX_WAIT, value, limit, nullptr, 0);
}

void futex_wake(Parking::Word& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace

void Parking::announce() noexcept {
  word_.fetch_or(announced, std::memory_order_relaxed);
  fence::heavy_fence();  // pairs with the fences of look_for_sleeper() and call()
}

void Parking::withdraw() noexcept { word_.fetch_and(~announced, std::memory_order_relaxed); }

void Parking::sleep() noexcept {
  // acquire pairs with the release in wake()
  for (std::uint32_t word = 0; ((word = word_.load(std::memory_order_acquire)) & announced) != 0;) {
    futex_wait(word_, word, nullptr);
  }
}

bool Parking::sleep_for(std::chrono::nanoseconds limit) noexcept {
  return sleep_open(announced, limit);
}

bool Parking::nap(std::chrono::nanoseconds limit) noexcept { return sleep_open(0, limit); }

bool Parking::sleep_open(std::uint32_t while_set, std::chrono::nanoseconds limit) noexcept {
  timespec time{};
  time.tv_sec = static_cast<time_t>(limit.count() / 1'000'000'000);
  time.tv_nsec = static_cast<long>(limit.count() % 1'000'000'000);
  // acquire pairs with the releases in wake() and knock()
  const std::uint32_t word = word_.fetch_or(open, std::memory_order_acquire) | open;
  if ((word & while_set) == while_set) futex_wait(word_, word, &time);
  return (word_.fetch_and(~(announced | open), std::memory_order_acquire) & open) == 0;
}

void Parking::call() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with heavy_fence() in announce()
  if ((word_.load(std::memory_order_relaxed) & announced) != 0) wake();
}

void Parking::wake() noexcept {
  const std::uint32_t word = word_.fetch_and(~announced, std::memory_order_release);
  if ((word & announced) == 0) return;  // nobody, or another caller did it
  futex_wake(word_);
}

bool Parking::knock(Word& word) noexcept {
  const std::uint32_t before = word.fetch_and(~open, std::memory_order_release);
  if ((before & open) == 0) return false;
  futex_wake(word);
  return true;
}

}  // namespace waybill::engine
