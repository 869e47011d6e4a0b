// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Any bytes as a string of JSON.

#include <string>
#include <string_view>

namespace waybill::recorder {

/// With its quotes, in one line (RFC 8259 section 7). What is not UTF-8 becomes
/// U+FFFD.
std::string json_text(std::string_view bytes);

}  // namespace waybill::recorder
