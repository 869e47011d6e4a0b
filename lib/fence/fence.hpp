// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A fence of two unequal halves, for a step that is taken a million times a
/// second on one side and a hundred times on the other.
///
/// Between "store A, load B" here and "store B, load A" there, sequential
/// consistency needs a full fence on both sides, which costs the frequent side
/// some 10 ns. The kernel can run one in every thread of the process instead
/// (membarrier(2), MEMBARRIER_CMD_PRIVATE_EXPEDITED): then the frequent side only
/// keeps the compiler from reordering, and the rare side pays a system call.

#include <atomic>

namespace waybill::fence {

/// Whether this kernel offers that to this process. Asked once.
[[nodiscard]] bool has_unequal_fence() noexcept;

/// The frequent side, where has_unequal_fence(): pairs with heavy_fence().
inline void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// The rare side.
void heavy_fence() noexcept;

}  // namespace waybill::fence
