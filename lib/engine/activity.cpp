// SPDX-License-Identifier: BSD-3-Clause
#include "engine/activity.hpp"

#include <unistd.h>

#include "engine/at_thread_end.hpp"

namespace waybill::engine {

namespace {

/// All records ever made, newest first. Push-only.
constinit std::atomic<ThreadActivity*> records{nullptr};

constinit thread_local pid_t claimed_in = 0;  // by which process

/// When the thread ends. In a child made by fork() the record may lie in memory that
/// the child shares, and is still the parent's.
void give_back(void* record) noexcept {
  if (getpid() != claimed_in) return;
  my_record = nullptr;
  // pairs with the acquire in claim()
  static_cast<ThreadActivity*>(record)->taken.store(false, std::memory_order_release);
}

void push(ThreadActivity& record) noexcept {
  record.next = records.load(std::memory_order_relaxed);
  while (!records.compare_exchange_weak(record.next, &record, std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
}

ThreadActivity& claim() {
  // acquire pairs with the release of the push: the record is complete
  for (ThreadActivity* r = records.load(std::memory_order_acquire); r != nullptr; r = r->next) {
    bool free = false;
    // acquire pairs with the release in give_back(): the former owner's counts are seen
    if (r->taken.compare_exchange_strong(free, true, std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
      return *r;
    }
  }
  auto* fresh = new ThreadActivity;
  push(*fresh);
  return *fresh;
}

}  // namespace

constinit thread_local ThreadActivity* my_record = nullptr;

void offer_records(std::span<ThreadActivity> fresh) noexcept {
  // The last one is found first, and the first shall be taken first.
  for (std::size_t i = fresh.size(); i-- > 0;) {
    fresh[i].taken.store(false, std::memory_order_relaxed);  // published by push()
    push(fresh[i]);
  }
}

ThreadActivity& claim_activity() noexcept {
  static const AtThreadEnd thread_end(give_back);
  my_record = &claim();
  claimed_in = getpid();
  thread_end.arm(my_record);
  return *my_record;
}

ActivitySum sum_activity() noexcept {
  ActivitySum sum;
  ThreadActivity* const first = records.load(std::memory_order_acquire);
  // acquire pairs with the release in add_one(): a completion that is counted
  // here implies that its post is counted below
  for (const ThreadActivity* r = first; r != nullptr; r = r->next) {
    sum.completed += r->completed.load(std::memory_order_acquire);
  }
  for (const ThreadActivity* r = records.load(std::memory_order_acquire); r != nullptr;
       r = r->next) {
    sum.posted += r->posted.load(std::memory_order_relaxed);
    sum.entered += r->entered.load(std::memory_order_relaxed);
    sum.inside += r->inside.load(std::memory_order_relaxed);
  }
  return sum;
}

}  // namespace waybill::engine
