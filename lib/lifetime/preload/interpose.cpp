// SPDX-License-Identifier: BSD-3-Clause
// libwaybill-lifetime.so: the calls by which a program gives memory up, each of which asks the
// hook and then does what it always does. Knows nothing of operations, and nothing of libwaybill
// until that installs its hook. Uses no C++ library, since it is loaded into every process.

#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>

#include "lifetime/hook.hpp"
#include "lifetime/preload/real.hpp"

namespace waybill::lifetime {

namespace {

/// Release, pairs with the acquire of active(): who sees a hook sees what it points to.
constinit std::atomic<const Hook*> block_hook{nullptr};
constinit std::atomic<const Hook*> mapping_hook{nullptr};

/// This thread asks a hook, which may free memory of its own.
constinit thread_local bool asking = false;

/// The hook, where there is one that wants to be asked.
const Hook* active(const std::atomic<const Hook*>& installed) noexcept {
  const Hook* const hook = installed.load(std::memory_order_acquire);
  // relaxed: see HeldMemory
  if (hook == nullptr || hook->watched->load(std::memory_order_relaxed) == 0) [[likely]] {
    return nullptr;
  }
  return asking ? nullptr : hook;
}

/// Memory before it goes, and who minds.
class Going {
 public:
  Going(const Hook* hook, const void* begin, std::size_t bytes) noexcept
      : hook_(hook),
        begin_(reinterpret_cast<std::uintptr_t>(begin)),
        end_(begin_ + bytes),
        found_(end_ > begin_ && hook->may_matter(begin_, end_) ? find() : nullptr) {}
  Going(const Going&) = delete;
  Going& operator=(const Going&) = delete;
  ~Going() = default;

  /// All of it is gone, or will be at once.
  void tell_all(Call call) noexcept { tell(call, begin_); }
  /// What was there lies at @p now, with so many bytes; the rest is gone.
  void tell_moved(Call call, const void* now, std::size_t bytes) noexcept {
    const bool same = reinterpret_cast<std::uintptr_t>(now) == begin_;
    tell(call, same && bytes < end_ - begin_ ? begin_ + bytes : same ? end_ : begin_);
  }
  /// Nothing has happened.
  void tell_none(Call call) noexcept { tell(call, end_); }

 private:
  // Both keep errno, which free() and a munmap() that succeeds leave alone.
  [[gnu::noinline]] void* find() const noexcept {
    const int error = errno;
    asking = true;
    void* const found = hook_->find(begin_, end_);
    asking = false;
    errno = error;
    return found;
  }
  void tell(Call call, std::uintptr_t from) noexcept {
    if (found_ == nullptr) [[likely]]
      return;
    const int error = errno;
    asking = true;
    hook_->tell(found_, call, from, end_);
    asking = false;
    errno = error;
  }

  const Hook* hook_;
  std::uintptr_t begin_;
  std::uintptr_t end_;
  void* found_;
};

void* realloc_asked(const Hook* hook, void* block, std::size_t bytes) noexcept {
  Going going(hook, block, malloc_usable_size(block));
  void* const now = real::realloc(block, bytes);
  if (now == nullptr && bytes != 0) {
    going.tell_none(Call::realloc);  // no memory
  } else {
    going.tell_moved(Call::realloc, now, now == nullptr ? 0 : malloc_usable_size(now));
  }
  return now;
}

void* mremap_asked(const Hook* hook, void* begin, std::size_t bytes, std::size_t new_bytes,
                   int flags, void* target) noexcept {
  // What lay at the target is gone too.
  const bool fixed = (flags & MREMAP_FIXED) != 0;
  Going there(hook, target, fixed ? new_bytes : 0);
  Going going(hook, begin, bytes);
  void* const now = real::mremap(begin, bytes, new_bytes, flags, target);
  if (now == MAP_FAILED) {
    there.tell_none(Call::munmap);
    going.tell_none(Call::mremap);
  } else {
    there.tell_all(Call::munmap);
    going.tell_moved(Call::mremap, now, new_bytes);
  }
  return now;
}

}  // namespace

}  // namespace waybill::lifetime

#define WAYBILL_INTERPOSED extern "C" [[gnu::visibility("default")]]

namespace lifetime = waybill::lifetime;

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): those of the C library

WAYBILL_INTERPOSED void free(void* block) noexcept {
  if (const lifetime::Hook* const hook = lifetime::active(lifetime::block_hook);
      hook != nullptr && block != nullptr) [[unlikely]] {
    lifetime::Going(hook, block, malloc_usable_size(block)).tell_all(lifetime::Call::free);
  }
  lifetime::real::free(block);
}

WAYBILL_INTERPOSED void* realloc(void* block, std::size_t bytes) noexcept {
  if (const lifetime::Hook* const hook = lifetime::active(lifetime::block_hook);
      hook != nullptr && block != nullptr) [[unlikely]] {
    return lifetime::realloc_asked(hook, block, bytes);
  }
  return lifetime::real::realloc(block, bytes);
}

WAYBILL_INTERPOSED void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

WAYBILL_INTERPOSED int munmap(void* begin, std::size_t bytes) noexcept {
  const lifetime::Hook* const hook = lifetime::active(lifetime::mapping_hook);
  if (hook == nullptr) [[likely]]
    return lifetime::real::munmap(begin, bytes);
  lifetime::Going going(hook, begin, bytes);
  const int result = lifetime::real::munmap(begin, bytes);
  if (result == 0) going.tell_all(lifetime::Call::munmap);
  else going.tell_none(lifetime::Call::munmap);
  return result;
}

WAYBILL_INTERPOSED void* mremap(void* begin, std::size_t bytes, std::size_t new_bytes, int flags,
                                ...) noexcept {
  void* target = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    std::va_list more;
    va_start(more, flags);
    target = va_arg(more, void*);
    va_end(more);
  }
  if (const lifetime::Hook* const hook = lifetime::active(lifetime::mapping_hook)) [[unlikely]] {
    return lifetime::mremap_asked(hook, begin, bytes, new_bytes, flags, target);
  }
  return lifetime::real::mremap(begin, bytes, new_bytes, flags, target);
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

/// Of lifetime/hook.hpp.
WAYBILL_INTERPOSED unsigned waybill_lifetime_install_1(const lifetime::Hook* hook) {
  const bool sees_blocks = lifetime::real::knows_sizes();
  lifetime::block_hook.store(sees_blocks ? hook : nullptr, std::memory_order_release);
  lifetime::mapping_hook.store(hook, std::memory_order_release);
  return lifetime::mappings | (sees_blocks ? lifetime::blocks : lifetime::nothing);
}
