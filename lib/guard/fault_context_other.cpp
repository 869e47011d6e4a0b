// SPDX-License-Identifier: BSD-3-Clause
#include "guard/fault_context.hpp"

namespace waybill::guard {

FaultContext fault_context(const void* /*ucontext*/) noexcept { return {}; }

}  // namespace waybill::guard
