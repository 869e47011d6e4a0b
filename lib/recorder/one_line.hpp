// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Messages that hold foreign text.

#include <algorithm>
#include <string>

namespace waybill::recorder {

/// A message is one line, whatever it quotes.
inline std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

}  // namespace waybill::recorder
