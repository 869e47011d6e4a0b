// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/alternate_stack.hpp"

#include <signal.h>

#include <thread>
#include <vector>

#include "support/catch.hpp"

using waybill::recorder::AlternateStack;

namespace {

stack_t stack_now() {
  stack_t now{};
  sigaltstack(nullptr, &now);
  return now;
}

void set_stack(void* memory, std::size_t bytes) {
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = bytes;
  if (memory == nullptr) stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
}

}  // namespace

// On threads of their own: a sanitizer may have given this one a stack.
TEST_CASE("a thread without one gets one, and loses it again") {
  std::thread([] {
    set_stack(nullptr, 0);
    {
      const AlternateStack stack;
      CHECK(stack.is_ours());
      CHECK((stack_now().ss_flags & SS_DISABLE) == 0);
      CHECK(stack_now().ss_size == AlternateStack::bytes);
    }
    CHECK((stack_now().ss_flags & SS_DISABLE) != 0);
  }).join();
}

TEST_CASE("a program's own stays, whether it was there before or came later") {
  std::thread([] {
    std::vector<char> memory(65536);
    set_stack(memory.data(), memory.size());
    {
      const AlternateStack stack;
      CHECK_FALSE(stack.is_ours());
      CHECK(stack_now().ss_sp == memory.data());
    }
    CHECK(stack_now().ss_sp == memory.data());
    set_stack(nullptr, 0);
    {
      const AlternateStack stack;
      CHECK(stack.is_ours());
      set_stack(memory.data(), memory.size());
    }
    CHECK(stack_now().ss_sp == memory.data());
    set_stack(nullptr, 0);
  }).join();
}
