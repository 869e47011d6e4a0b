// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Text that goes out in one piece.

#include <cstddef>
#include <string_view>

namespace waybill::recorder {

/// One write(2), unless the descriptor takes only a part. Gives up on a reader
/// that takes nothing for a second: text is not worth a hang. Returns how much was
/// taken; errno says why not all.
std::size_t write_whole(int descriptor, std::string_view text) noexcept;

}  // namespace waybill::recorder
