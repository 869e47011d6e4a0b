// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings that are thrown.

#include "operation/context.hpp"
#include "waybill/error.hpp"

namespace waybill::operation {

/// The finding as an exception of @p routine, the call that throws it.
Error finding_error(const Finding& finding, const char* routine);

/// Throws what the calling thread found, in this call or where it could not throw;
/// mostly nothing, and mostly nobody asked for it. For the end of a call: what it did
/// stays done.
void throw_finding_of(registry::Unthrown& unthrown, const char* routine);
inline void throw_finding(const Context& context, const char* routine) {
  if (context.unthrown != nullptr) [[unlikely]]
    throw_finding_of(*context.unthrown, routine);
}

}  // namespace waybill::operation
