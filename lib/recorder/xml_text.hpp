// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Any bytes as the content of XML.

#include <string>
#include <string_view>

namespace waybill::recorder {

/// For elements and for attributes in double quotes (XML 1.0 section 2.2 and 2.4).
/// What XML cannot hold, and what is not UTF-8, becomes U+FFFD. A line break stays
/// one, as a character reference.
std::string xml_text(std::string_view bytes);

}  // namespace waybill::recorder
