// SPDX-License-Identifier: BSD-3-Clause
#include "engine/activity.hpp"

#include <unistd.h>

namespace waybill::engine {

namespace {

/// All records ever made, newest first. Push-only.
constinit std::atomic<ThreadActivity*> records{nullptr};

/// Gives the record back when the thread ends. In a child made by fork() it may lie
/// in memory that the child shares, and is still the parent's.
struct GiveBack {
  ThreadActivity* record = nullptr;
  const pid_t process = getpid();
  ~GiveBack() {
    if (record == nullptr || getpid() != process) return;
    my_record = nullptr;
    record->taken.store(false, std::memory_order_release);  // pairs with the acquire in claim()
  }
};

void push(ThreadActivity& record) noexcept {
  record.next = records.load(std::memory_order_relaxed);
  while (!records.compare_exchange_weak(record.next, &record, std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
}

ThreadActivity& claim() {
  thread_local GiveBack give_back;
  // acquire pairs with the release of the push: the record is complete
  for (ThreadActivity* r = records.load(std::memory_order_acquire); r != nullptr; r = r->next) {
    bool free = false;
    // acquire pairs with the release in GiveBack: the former owner's counts are seen
    if (r->taken.compare_exchange_strong(free, true, std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
      give_back.record = r;
      return *r;
    }
  }
  auto* fresh = new ThreadActivity;
  push(*fresh);
  give_back.record = fresh;
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
  my_record = &claim();
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
