// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The exit status of strict mode, for the whole process.

namespace waybill::runtime {

/// From now on, if a finding was noted, a process that would end with status 0 ends
/// with strict_status instead, by whatever way it calls exit() or returns from main.
/// All that happens at exit still does. Not in children made by fork() later.
void arm_strict_exit() noexcept;

/// Any thread, any number of times.
void note_strict_finding() noexcept;

}  // namespace waybill::runtime
