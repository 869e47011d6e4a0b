// SPDX-License-Identifier: BSD-3-Clause
#include "guard/page_guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "guard/watchpoints.hpp"

namespace waybill::guard {

namespace {

std::uintptr_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool forbids(const Guarded& guarded, const Touch& touch) noexcept {
  if (guarded.touched || !guarded.pages.contains(touch.address)) return false;
  return guarded.record.access == Access::write || touch.touching == Touching::written;
}

}  // namespace

bool KernelProtector::set(const Pages& pages, Protection protection) noexcept {
  const int allowed = protection == Protection::open        ? PROT_READ | PROT_WRITE
                      : protection == Protection::read_only ? PROT_READ
                                                            : PROT_NONE;
  if (mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, allowed) == 0) {
    return true;
  }
  if (failure_ == 0) failure_ = errno;
  return false;
}

/// The pool has the memory.
PageGuard::~PageGuard() {
  for (Guarded* next = free_; next != nullptr;) std::exchange(next, next->next)->~Guarded();
}

Pages PageGuard::whole_pages(const registry::Footprint& footprint) noexcept {
  if (footprint.shape != registry::Shape::contiguous) return {};
  const std::uintptr_t mask = page_bytes() - 1;
  const Pages pages{(footprint.begin + mask) & ~mask, footprint.end & ~mask};
  return pages.empty() ? Pages{} : pages;
}

Guarded* PageGuard::enter(const registry::Record& record, bool protect) noexcept {
  const Pages pages = whole_pages(record.footprint);
  const std::lock_guard holding(lock_);
  Guarded* const guarded = take_free();
  if (guarded == nullptr) return nullptr;
  std::destroy_at(&guarded->record);
  std::construct_at(&guarded->record, record);
  guarded->record.footprint.blocks = nullptr;  // what it owns may come from the heap
  guarded->pages = {};
  guarded->serial = ++last_serial_;
  guarded->touched = false;
  if (protect && !pages.empty() && counts_.add(pages, record.access)) guarded->pages = pages;
  guarded->previous = nullptr;
  guarded->next = first_;
  if (first_ != nullptr) first_->previous = guarded;
  first_ = guarded;
  return guarded;
}

void PageGuard::leave(Guarded* guarded, Left& left) noexcept {
  const std::lock_guard holding(lock_);
  left.edges = std::exchange(guarded->edges, nullptr);
  if (guarded->touched) {
    left.touched.emplace(guarded->record);
    left.touch = guarded->touch;
  } else {
    open(*guarded);
  }
  (guarded->previous == nullptr ? first_ : guarded->previous->next) = guarded->next;
  if (guarded->next != nullptr) guarded->next->previous = guarded->previous;
  guarded->next = free_;
  free_ = guarded;
}

Guarded* PageGuard::any() noexcept {
  const std::lock_guard holding(lock_);
  return first_;
}

/// A trap may have come before.
void PageGuard::attach(Guarded& guarded, WatchedEdge* edge) noexcept {
  const std::lock_guard holding(lock_);
  edge->next = guarded.edges;
  guarded.edges = edge;
  if (guarded.touched) edge->disable();
}

int PageGuard::failure() noexcept {
  const std::lock_guard holding(lock_);
  return kernel_.failure();
}

std::size_t PageGuard::touched(const Touch& touch) noexcept {
  const std::lock_guard holding(lock_);
  Touch known = touch;
  const Protection protection = counts_.at(touch.address);
  if (protection == Protection::open) return 0;
  // Reading would have been allowed.
  if (protection == Protection::read_only) known.touching = Touching::written;
  std::size_t found = 0;
  for (Guarded* at = first_; at != nullptr; at = at->next) {
    if (!forbids(*at, known)) continue;
    note(*at, known);
    ++found;
  }
  return found;
}

bool PageGuard::touched(std::uint64_t serial, const Touch& touch) noexcept {
  const std::lock_guard holding(lock_);
  for (Guarded* at = first_; at != nullptr; at = at->next) {
    if (at->serial != serial || at->touched) continue;
    note(*at, touch);
    return true;
  }
  return false;
}

void PageGuard::add_trace(const Touch& touch) noexcept {
  const std::lock_guard holding(lock_);
  for (Guarded* at = first_; at != nullptr; at = at->next) {
    const bool same = at->touched && at->touch.address == touch.address &&
                      at->touch.thread == touch.thread && at->touch.trace.count <= 1;
    if (same) at->touch.trace = touch.trace;
  }
}

/// From now on nothing of it is protected.
void PageGuard::note(Guarded& guarded, const Touch& touch) noexcept {
  open(guarded);
  guarded.touch = touch;
  guarded.touched = true;
}

bool PageGuard::open_unseen(std::uintptr_t address) noexcept {
  for (const Guarded* at = first_; at != nullptr; at = at->next) {
    if (at->touched || !at->pages.contains(address)) continue;
    const std::uintptr_t page = address & ~(page_bytes() - 1);
    return kernel_.set({page, page + page_bytes()}, Protection::open);
  }
  return false;
}

Guarded* PageGuard::take_free() noexcept {
  if (free_ != nullptr) return std::exchange(free_, free_->next);
  try {
    return new (pool_.allocate(sizeof(Guarded), alignof(Guarded))) Guarded;
  } catch (const std::exception&) {  // no memory
    return nullptr;
  }
}

void PageGuard::open(const Guarded& guarded) noexcept {
  if (guarded.pages.empty()) return;
  counts_.remove(guarded.pages, guarded.record.access);
  openings_.fetch_add(1, std::memory_order_relaxed);  // see openings()
}

}  // namespace waybill::guard
