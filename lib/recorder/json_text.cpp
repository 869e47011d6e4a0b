// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/json_text.hpp"

#include <fmt/format.h>

#include "recorder/utf8.hpp"

namespace waybill::recorder {

std::string json_text(std::string_view bytes) {
  std::string text = "\"";
  while (!bytes.empty()) {
    const CodePoint point = first_code_point(bytes);
    const std::string_view itself = bytes.substr(0, point.bytes);
    if (point.value == '"' || point.value == '\\') {
      (text += '\\') += itself;
    } else if (point.value == '\n') {
      text += "\\n";
    } else if (point.value < 0x20 || point.value == 0x7F) {
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(point.value));
    } else if (point.value == replacement_character) {
      text += replacement_bytes;
    } else {
      text += itself;
    }
    bytes.remove_prefix(point.bytes);
  }
  return text += '"';
}

}  // namespace waybill::recorder
