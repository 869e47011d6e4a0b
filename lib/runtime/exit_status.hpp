// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How a process ends by Waybill's doing; docs/environment.md lists these.

namespace waybill::runtime {

inline constexpr int misconfigured_status = 2;
inline constexpr int strict_status = 3;  ///< findings, in strict mode
inline constexpr int abort_status = 4;   ///< a finding, with WAYBILL_ON_FINDING=abort

}  // namespace waybill::runtime
