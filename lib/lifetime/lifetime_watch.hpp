// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Finds memory that the program frees while an operation in flight has it as its buffer.

#include <string>

#include "lifetime/hook.hpp"
#include "registry/content/held_memory.hpp"
#include "registry/registry.hpp"

namespace waybill::lifetime {

/// The preloaded library's function, or null if none is preloaded.
[[nodiscard]] Install find_preloaded() noexcept;

/// Installs a hook that answers for the operations of @p registry, from here to its end. One in
/// a process at a time; without effect where nothing is preloaded.
///
/// Who frees memory calls the hook on its own thread: first HeldMemory, which mostly knows that
/// nobody minds, then the byte index. What is found is told at once, by the thread that frees.
///
/// Protocol. The hook and HeldMemory live as long as the process, since a thread may be about to
/// ask when this ends. Whoever needs the registry counts itself in, then looks whether there is
/// one; the end takes it away, then waits until nobody is counted. Both are sequentially
/// consistent, so that at least one sees the other.
class LifetimeWatch {
 public:
  LifetimeWatch(registry::Registry& registry, Install install) noexcept;
  LifetimeWatch(const LifetimeWatch&) = delete;
  LifetimeWatch& operator=(const LifetimeWatch&) = delete;
  ~LifetimeWatch();

  /// For ContentOptions: null if nobody asks.
  [[nodiscard]] registry::HeldMemory* held() const noexcept;
  /// Of lifetime/hook.hpp.
  [[nodiscard]] unsigned sees() const noexcept { return sees_; }

 private:
  Install install_;
  unsigned sees_ = nothing;
};

/// Why free() is not seen: empty if it is, or for people. @p watch is null below level content.
[[nodiscard]] std::string blind_reason(const LifetimeWatch* watch);

/// In a child made by fork() nothing is found any more: its operations are the parent's.
void forget_after_fork() noexcept;

}  // namespace waybill::lifetime
