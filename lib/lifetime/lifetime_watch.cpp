// SPDX-License-Identifier: BSD-3-Clause
#include "lifetime/lifetime_watch.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <utility>
#include <vector>

#include "registry/content/watched_contents.hpp"
#include "registry/footprint.hpp"
#include "registry/overlap.hpp"

namespace waybill::lifetime {

namespace {

using Found = std::vector<registry::Record>;

constinit registry::HeldMemory held_memory;
constinit std::atomic<registry::Registry*> watched_registry{nullptr};
constinit std::atomic<Install> installer{nullptr};  // of the LifetimeWatch
constinit std::atomic<unsigned> users{0};
/// Of these the calling thread: what it was told may have made it end the Runtime.
constinit thread_local unsigned own_uses = 0;

void count_in() noexcept {
  ++own_uses;
  users.fetch_add(1);
}
/// Release: pairs with the look of the end, which sees all that was done.
void count_out() noexcept {
  users.fetch_sub(1, std::memory_order_release);
  --own_uses;
}

bool may_matter(std::uintptr_t begin, std::uintptr_t end) noexcept {
  return held_memory.may_hold(begin, end);
}

/// Stays counted until tell(), if it finds something.
void* find(std::uintptr_t begin, std::uintptr_t end) noexcept {
  count_in();
  if (registry::Registry* const registry = watched_registry.load()) {
    Found found = registry->posted_in(begin, end - begin);
    if (!found.empty()) {
      if (auto* const kept = new (std::nothrow) Found(std::move(found))) return kept;
    }
  }
  count_out();
  return nullptr;
}

registry::Loss loss_of(Call call) noexcept {
  switch (call) {
    case Call::free: return registry::Loss::freed;
    case Call::realloc: return registry::Loss::reallocated;
    case Call::munmap: return registry::Loss::unmapped;
    case Call::mremap: break;
  }
  return registry::Loss::remapped;
}

void tell(void* kept, Call call, std::uintptr_t begin, std::uintptr_t end) noexcept {
  auto* const found = static_cast<Found*>(kept);
  registry::Registry* const registry = watched_registry.load();
  const registry::Footprint lost = registry::contiguous_footprint(begin, end - begin);
  for (const registry::Record& record : *found) {
    if (registry == nullptr || begin == end || !registry::overlaps(record.footprint, lost))
      continue;
    if (registry::note_lost(record)) registry->buffer_lost(record, loss_of(call));
  }
  delete found;
  count_out();
}

/// Where the library to be preloaded lies: beside this one.
std::string library() {
  std::string name = "libwaybill-lifetime.so";
  Dl_info own = {};
  if (dladdr(&held_memory, &own) == 0 || own.dli_fname == nullptr) return name;
  const std::string path(own.dli_fname);
  const std::string beside = path.substr(0, path.rfind('/') + 1) + name;
  return access(beside.c_str(), R_OK) == 0 ? beside : name;
}

constinit const Hook hook{&held_memory.count(), may_matter, find, tell};

}  // namespace

Install find_preloaded() noexcept {
  return reinterpret_cast<Install>(dlsym(RTLD_DEFAULT, install_name));
}

LifetimeWatch::LifetimeWatch(registry::Registry& registry, Install install) noexcept
    : install_(install) {
  if (install_ == nullptr) return;
  watched_registry.store(&registry);
  installer.store(install_);
  sees_ = install_(&hook);
}

LifetimeWatch::~LifetimeWatch() {
  if (install_ == nullptr) return;
  install_(nullptr);
  installer.store(nullptr);
  watched_registry.store(nullptr);
  while (users.load() > own_uses) sched_yield();
}

registry::HeldMemory* LifetimeWatch::held() const noexcept {
  return install_ == nullptr ? nullptr : &held_memory;
}

std::string blind_reason(const LifetimeWatch* watch) {
  if (watch == nullptr) return "that takes WAYBILL_CHECK=content, and " + library() + " preloaded";
  if (watch->sees() == nothing) return "preload " + library();
  if ((watch->sees() & blocks) != 0) return {};
  return "the program's malloc() does not offer malloc_usable_size()";
}

void forget_after_fork() noexcept {
  watched_registry.store(nullptr);
  if (const Install install = installer.load()) install(nullptr);
}

}  // namespace waybill::lifetime
