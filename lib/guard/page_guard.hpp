// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The books of all operations under guard, and the protection of their pages.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>

#include "guard/guarded.hpp"
#include "guard/mapped_memory.hpp"
#include "guard/mappings.hpp"
#include "guard/owned_lock.hpp"
#include "guard/page_counts.hpp"

namespace waybill::guard {

/// mprotect(2) on memory that was plain before.
class KernelProtector final : public Protector {
 public:
  bool set(const Pages& pages, Protection protection) noexcept override;
  /// The errno of the first mprotect(2) that failed, or 0.
  [[nodiscard]] int failure() const noexcept { return failure_; }
  bool is_open(const Pages& pages) noexcept override { return mappings_.is_plain(pages); }

 private:
  Mappings mappings_;
  int failure_ = 0;
};

/// Any number of threads, and signal handlers: the functions that say so. Memory is
/// that of the most operations that were in flight at once, 600 B each.
class PageGuard {
 public:
  PageGuard() : pool_(&mapped_), counts_(kernel_, pool_) {}
  PageGuard(const PageGuard&) = delete;
  PageGuard& operator=(const PageGuard&) = delete;
  ~PageGuard();

  /// Whole pages inside a contiguous buffer.
  [[nodiscard]] static Pages whole_pages(const registry::Footprint& footprint) noexcept;

  /// Puts the operation into the books and protects its whole pages, if @p protect.
  /// Null without memory. Its pages are empty if there are none or if they cannot be
  /// protected.
  [[nodiscard]] Guarded* enter(const registry::Record& record, bool protect) noexcept;
  /// What remains of an operation.
  struct Left {
    WatchedEdge* edges = nullptr;             ///< to be disarmed
    std::optional<registry::Record> touched;  ///< if it was
    Touch touch;                              ///< then how
  };
  /// Gives the pages back and takes the operation out of the books.
  void leave(Guarded* guarded, Left& left) noexcept;
  /// Any operation in the books, or null.
  [[nodiscard]] Guarded* any() noexcept;
  /// Adds armed watchpoints to an operation, which the caller has entered.
  void attach(Guarded& guarded, WatchedEdge* edge) noexcept;
  /// See KernelProtector.
  [[nodiscard]] int failure() noexcept;

  /// Signal-safe. The lock for what belongs to a Guarded.
  [[nodiscard]] OwnedLock& lock() noexcept { return lock_; }
  /// Signal-safe, with the lock held: the first of all operations in the books.
  [[nodiscard]] Guarded* first() noexcept { return first_; }

  /// Signal-safe: notes the touch with each operation that forbids it, and opens their
  /// pages. Returns how many there were.
  std::size_t touched(const Touch& touch) noexcept;
  /// Signal-safe: the same with one operation, whatever it forbids. False if it was
  /// touched before or has ended.
  bool touched(std::uint64_t serial, const Touch& touch) noexcept;
  /// Signal-safe: the trace of what this thread has noted before, where nobody was told yet.
  void add_trace(const Touch& touch) noexcept;
  /// Signal-safe, for a thread that holds the lock itself: opens the page if it is
  /// protected, without telling. True if so.
  bool open_unseen(std::uintptr_t address) noexcept;
  /// Signal-safe. Grows whenever pages are opened: who faulted on a page that is
  /// open by now sees that something has happened.
  [[nodiscard]] std::uint64_t openings() const noexcept {
    return openings_.load(std::memory_order_relaxed);  // only compared with itself
  }

  /// For each operation touched so far, with the lock held; signal-safe if @p visit is.
  template <class Visit>
  void for_each_touched(Visit visit) noexcept {
    lock_.lock();
    for (const Guarded* at = first_; at != nullptr; at = at->next) {
      if (at->touched) visit(at->record, at->touch);
    }
    lock_.unlock();
  }

 private:
  [[nodiscard]] Guarded* take_free() noexcept;
  void open(const Guarded& guarded) noexcept;
  void note(Guarded& guarded, const Touch& touch) noexcept;

  OwnedLock lock_;  // guards what follows
  MappedMemory mapped_;
  std::pmr::unsynchronized_pool_resource pool_;
  KernelProtector kernel_;
  PageCounts counts_;
  Guarded* first_ = nullptr;
  Guarded* free_ = nullptr;
  std::uint64_t last_serial_ = 0;
  std::atomic<std::uint64_t> openings_{0};
};

}  // namespace waybill::guard
