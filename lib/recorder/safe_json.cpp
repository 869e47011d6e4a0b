// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/safe_json.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace waybill::recorder {

namespace {

constexpr std::uintptr_t page_bytes = 4096;  // or a part of a page
constexpr std::size_t longest_string = 1024;

bool is_between(char c, unsigned first, unsigned last) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= first && byte <= last;
}

/// Whether a page lies there: mincore(2) says ENOMEM if not.
bool is_mapped(std::uintptr_t page) noexcept {
  unsigned char pages[64] = {};  // one is meant
  const std::uintptr_t size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return mincore(reinterpret_cast<void*>(page & ~(size - 1)), 1, pages) == 0 || errno != ENOMEM;
}

}  // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const char first = text[0];
  if (is_between(first, 0x00, 0x7F)) return 1;
  const auto lead = static_cast<unsigned char>(first);
  std::size_t length = 0;
  if (is_between(first, 0xC2, 0xDF)) length = 2;
  else if (is_between(first, 0xE0, 0xEF)) length = 3;
  else if (is_between(first, 0xF0, 0xF4)) length = 4;
  if (length == 0 || text.size() < length) return 0;
  // the second byte has narrower bounds after some first ones (RFC 3629, section 4)
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!is_between(text[1], least, most)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_between(text[i], 0x80, 0xBF)) return 0;
  }
  return length;
}

void SafeJson::separate() noexcept {
  if (comma_) file_.append(',');
  if (line_break_) file_.append('\n');
  line_break_ = false;
  comma_ = true;
}

void SafeJson::begin(char bracket) noexcept {
  separate();
  file_.append(bracket);
  comma_ = false;
}

void SafeJson::end(char bracket) noexcept {
  if (line_break_) file_.append('\n');
  line_break_ = false;
  file_.append(bracket);
  comma_ = true;
}

void SafeJson::key(std::string_view name) noexcept {
  separate();
  file_.append('"');
  file_.append(name);
  file_.append("\":");
  comma_ = false;
}

void SafeJson::digits(std::uint64_t value) noexcept {
  char text[20];
  std::size_t begin = sizeof text;
  do {
    text[--begin] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  file_.append(std::string_view(text + begin, sizeof text - begin));
}

void SafeJson::number(std::uint64_t value) noexcept {
  separate();
  digits(value);
}

void SafeJson::signed_number(std::int64_t value) noexcept {
  separate();
  if (value < 0) file_.append('-');
  const auto bits = static_cast<std::uint64_t>(value);
  digits(value < 0 ? 0 - bits : bits);
}

void SafeJson::null() noexcept {
  separate();
  file_.append("null");
}

void SafeJson::string(std::string_view text) noexcept {
  separate();
  file_.append('"');
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      file_.append("\\ufffd");
    } else if (text[0] == '"' || text[0] == '\\') {
      file_.append('\\');
      file_.append(text[0]);
    } else if (is_between(text[0], 0x00, 0x1F)) {
      constexpr std::string_view hex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[0]);
      file_.append("\\u00");
      file_.append(hex[byte >> 4]);
      file_.append(hex[byte & 15]);
    } else {
      file_.append(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  file_.append('"');
}

void SafeJson::foreign_string(const char* text) noexcept {
  if (text == nullptr) return null();
  std::size_t length = 0;
  while (length < longest_string) {
    if (!is_readable(text + length)) return null();
    if (text[length] == '\0') break;
    ++length;
  }
  string({text, length});
}

bool SafeJson::is_readable(const char* at) noexcept {
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(at) & ~(page_bytes - 1);
  if (page == readable_page_) return true;
  if (!is_mapped(page)) return false;
  readable_page_ = page;
  return true;
}

}  // namespace waybill::recorder
