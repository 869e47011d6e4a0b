// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/utf8.hpp"

namespace waybill::recorder {

namespace {

constexpr CodePoint malformed{replacement_character, 1};

bool is_surrogate(char32_t value) noexcept { return value >= 0xD800 && value <= 0xDFFF; }

}  // namespace

CodePoint first_code_point(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  std::size_t bytes = 0;
  char32_t value = 0;
  char32_t least = 0;  // of a sequence of this length; less is an overlong form
  if ((lead & 0xE0) == 0xC0) {
    bytes = 2, value = lead & 0x1F, least = 0x80;
  } else if ((lead & 0xF0) == 0xE0) {
    bytes = 3, value = lead & 0x0F, least = 0x800;
  } else if ((lead & 0xF8) == 0xF0) {
    bytes = 4, value = lead & 0x07, least = 0x10000;
  }
  if (bytes == 0 || text.size() < bytes) return malformed;
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return malformed;
    value = (value << 6) | (next & 0x3FU);
  }
  if (value < least || value > 0x10FFFF || is_surrogate(value)) return malformed;
  return {value, bytes};
}

}  // namespace waybill::recorder
