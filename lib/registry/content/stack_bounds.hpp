// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The calling thread's stack.

#include <cstdint>

namespace waybill::registry {

/// True if @p address lies on the calling thread's stack.
[[nodiscard]] bool on_stack(std::uintptr_t address) noexcept;

/// True if @p address lies on the calling thread's stack in a frame that has returned:
/// below @p frame, the address of a living one. False on a stack that the program switched
/// to by itself.
[[nodiscard]] bool in_returned_frame(std::uintptr_t address, const void* frame) noexcept;

}  // namespace waybill::registry
