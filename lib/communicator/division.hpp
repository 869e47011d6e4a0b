// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Whether a buffer can be divided among ranks as a call says.

#include <string>

#include "waybill/blocks.hpp"
#include "waybill/buffer.hpp"

namespace waybill::communicator {

/// Into one equal part per rank; a reason why not, or empty.
[[nodiscard]] std::string why_not_divisible(const BufferShape& buffer, int ranks);

/// Into these blocks, which lie in the buffer and, where they are @p written, not over each other.
[[nodiscard]] std::string why_not_divisible(const BufferShape& buffer, const Blocks& blocks,
                                            int ranks, bool written);

/// Elements of all blocks together.
[[nodiscard]] std::size_t sum_of_counts(const Blocks& blocks) noexcept;

}  // namespace waybill::communicator
