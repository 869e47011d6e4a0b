// SPDX-License-Identifier: BSD-3-Clause
#include "guard/touches.hpp"

#include <cstdint>

#include "guard/symbols.hpp"

namespace waybill::test {

namespace {
constexpr int write_line = __LINE__ + 4;
constexpr int read_line = __LINE__ + 6;
}  // namespace

void write_byte(volatile unsigned char& byte, unsigned char value) { byte = value; }

// Kept apart.
unsigned char read_byte(const volatile unsigned char& byte) { return byte; }

namespace {

std::string name(const char* function, int line) {
  const auto known = guard::source_frames(reinterpret_cast<std::uintptr_t>(&write_byte));
  if (known.front().file.empty()) return "";
  return std::string(function) + " (touches.cpp:" + std::to_string(line) + ")";
}

}  // namespace

std::string name_of_write() { return name("write_byte", write_line); }
std::string name_of_read() { return name("read_byte", read_line); }

}  // namespace waybill::test
