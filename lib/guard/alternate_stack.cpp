// SPDX-License-Identifier: BSD-3-Clause
#include "guard/alternate_stack.hpp"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace waybill::guard {

namespace {

/// Room for unwinding, a nested fault, and a handler of the program behind ours.
constexpr std::size_t wanted_bytes = std::size_t{64} * 1024;

/// What the kernel writes there before the handler runs; 0 from a kernel that does not say.
std::size_t signal_frame_bytes() noexcept {
  constexpr unsigned long minimal_stack = 51;  // AT_MINSIGSTKSZ, which older headers lack
  return getauxval(minimal_stack);
}

/// The alternate stack of one thread, with a closed page below it.
class AlternateStack {
 public:
  AlternateStack() noexcept {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    page_bytes_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = wanted_bytes + signal_frame_bytes();
    bytes_ = (bytes + page_bytes_ - 1) / page_bytes_ * page_bytes_;
    void* const mapped = mmap(nullptr, page_bytes_ + bytes_, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (mapped == MAP_FAILED) return;
    mapped_ = static_cast<char*>(mapped);
    stack_t mine{};
    mine.ss_sp = mapped_ + page_bytes_;
    mine.ss_size = bytes_;
    if (mprotect(mine.ss_sp, bytes_, PROT_READ | PROT_WRITE) == 0) sigaltstack(&mine, nullptr);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;
  ~AlternateStack() {
    if (mapped_ == nullptr) return;
    stack_t present{};
    if (sigaltstack(nullptr, &present) == 0 && present.ss_sp == mapped_ + page_bytes_) {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
    }
    munmap(mapped_, page_bytes_ + bytes_);
  }

 private:
  char* mapped_ = nullptr;
  std::size_t page_bytes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

void ensure_alternate_stack() noexcept { static thread_local const AlternateStack stack; }

std::size_t handler_stack_bytes() noexcept {
  stack_t present{};
  if (sigaltstack(nullptr, &present) != 0) return SIZE_MAX;
  return (present.ss_flags & SS_ONSTACK) != 0 ? present.ss_size : SIZE_MAX;
}

}  // namespace waybill::guard
