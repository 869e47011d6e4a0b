// SPDX-License-Identifier: BSD-3-Clause
#include "lifetime/preload/real.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace waybill::lifetime::real {

namespace {

/// A function of the next library that has one of this name. Looked for at the first call,
/// which may come from the dynamic linker, before anything is constructed. Several threads
/// may look at once and find the same: relaxed.
template <class Function>
class Next {
 public:
  explicit constexpr Next(const char* name) noexcept : name_(name) {}

  /// Null if the calling thread is looking for one just now.
  [[nodiscard]] Function get() noexcept {
    const Function known = found_.load(std::memory_order_relaxed);
    if (known != nullptr) [[likely]]
      return known;
    return look();
  }

 private:
  [[gnu::noinline]] Function look() noexcept;

  const char* const name_;
  std::atomic<Function> found_{nullptr};
};

/// dlsym() may free.
constinit thread_local bool looking = false;

template <class Function>
Function Next<Function>::look() noexcept {
  if (looking) return nullptr;
  looking = true;
  const auto found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name_));
  looking = false;
  found_.store(found, std::memory_order_relaxed);
  return found;
}

constinit Next<void (*)(void*)> next_free("free");
constinit Next<void* (*)(void*, std::size_t)> next_realloc("realloc");
constinit Next<int (*)(void*, std::size_t)> next_munmap("munmap");
constinit Next<void* (*)(void*, std::size_t, std::size_t, int, ...)> next_mremap("mremap");

/// What realloc() does, without it.
void* move_block(void* block, std::size_t bytes) noexcept {
  void* const moved = std::malloc(bytes);
  if (moved != nullptr && block != nullptr) {
    std::memcpy(moved, block, std::min(bytes, malloc_usable_size(block)));
  }
  return moved;
}

}  // namespace

void free(void* block) noexcept {
  if (const auto function = next_free.get()) function(block);
}

void* realloc(void* block, std::size_t bytes) noexcept {
  const auto function = next_realloc.get();
  return function == nullptr ? move_block(block, bytes) : function(block, bytes);
}

int munmap(void* begin, std::size_t bytes) noexcept {
  const auto function = next_munmap.get();
  return function == nullptr ? static_cast<int>(syscall(SYS_munmap, begin, bytes))
                             : function(begin, bytes);
}

void* mremap(void* begin, std::size_t bytes, std::size_t new_bytes, int flags,
             void* target) noexcept {
  if (const auto function = next_mremap.get()) {
    return function(begin, bytes, new_bytes, flags, target);
  }
  return reinterpret_cast<void*>(syscall(SYS_mremap, begin, bytes, new_bytes, flags, target));
}

bool knows_sizes() noexcept {
  Dl_info frees = {};
  Dl_info sizes = {};
  return dladdr(reinterpret_cast<const void*>(next_free.get()), &frees) != 0 &&
         dladdr(dlsym(RTLD_DEFAULT, "malloc_usable_size"), &sizes) != 0 &&
         frees.dli_fbase == sizes.dli_fbase;
}

}  // namespace waybill::lifetime::real
