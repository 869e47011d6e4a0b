// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/alternate_stack.hpp"

#include <signal.h>
#include <sys/mman.h>

namespace waybill::recorder {

AlternateStack::AlternateStack() noexcept {
  stack_t found{};
  if (sigaltstack(nullptr, &found) != 0 || (found.ss_flags & SS_DISABLE) == 0) return;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t ours{};
  ours.ss_sp = memory;
  ours.ss_size = bytes;
  if (sigaltstack(&ours, nullptr) == 0) memory_ = memory;
  else munmap(memory, bytes);
}

AlternateStack::~AlternateStack() {
  if (memory_ == nullptr) return;
  stack_t found{};
  if (sigaltstack(nullptr, &found) != 0 || found.ss_sp != memory_) return;  // the program's affair
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  // Refused while a handler runs on it: then it stays.
  if (sigaltstack(&none, nullptr) == 0) munmap(memory_, bytes);
}

}  // namespace waybill::recorder
