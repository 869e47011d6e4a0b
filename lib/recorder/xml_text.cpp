// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/xml_text.hpp"

#include <fmt/format.h>

#include "recorder/utf8.hpp"

namespace waybill::recorder {

namespace {

/// Of what is well-formed UTF-8.
bool is_xml_character(char32_t value) noexcept {
  if (value < 0x20) return value == '\t' || value == '\n' || value == '\r';
  return value != 0xFFFE && value != 0xFFFF && value != replacement_character;
}

}  // namespace

std::string xml_text(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const CodePoint point = first_code_point(bytes);
    switch (point.value) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      case '\t':
      case '\n':
      case '\r': text += fmt::format("&#{};", static_cast<unsigned>(point.value)); break;
      default:
        text += is_xml_character(point.value) ? bytes.substr(0, point.bytes) : replacement_bytes;
    }
    bytes.remove_prefix(point.bytes);
  }
  return text;
}

}  // namespace waybill::recorder
