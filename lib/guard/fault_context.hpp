// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the processor says about a fault.

#include <cstdint>

namespace waybill::guard {

enum class Touching : std::uint8_t {
  read,
  written,
  unknown,  ///< read or written
};

struct FaultContext {
  std::uintptr_t instruction = 0;    ///< 0 where it is not known
  std::uintptr_t stack_pointer = 0;  ///< 0 where it is not known
  Touching touching = Touching::unknown;
};

/// Takes the third argument of a handler with SA_SIGINFO. Signal-safe.
/// One source per processor.
FaultContext fault_context(const void* ucontext) noexcept;

}  // namespace waybill::guard
