// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Tools that take part in signals.

namespace waybill::guard {

/// Valgrind runs translated code, whose registers are not all in their place when a
/// handler that repairs a fault returns (it would take --vex-iropt-register-updates).
bool under_valgrind() noexcept;

/// A debugger, or strace(1), gets each SIGTRAP first. gdb does not pass them on.
bool under_debugger() noexcept;

}  // namespace waybill::guard
