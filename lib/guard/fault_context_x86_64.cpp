// SPDX-License-Identifier: BSD-3-Clause
#include <ucontext.h>

#include "guard/fault_context.hpp"

namespace waybill::guard {

FaultContext fault_context(const void* ucontext) noexcept {
  // Bit 1 of the error code of a page fault: set if it was a write (Intel SDM, volume 3, 4.7).
  constexpr greg_t write_bit = 2;
  const auto& registers = static_cast<const ucontext_t*>(ucontext)->uc_mcontext.gregs;
  FaultContext context;
  context.instruction = static_cast<std::uintptr_t>(registers[REG_RIP]);
  context.stack_pointer = static_cast<std::uintptr_t>(registers[REG_RSP]);
  context.touching = (registers[REG_ERR] & write_bit) != 0 ? Touching::written : Touching::read;
  return context;
}

}  // namespace waybill::guard
