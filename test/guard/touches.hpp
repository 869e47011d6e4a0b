// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Instructions that touch a byte, in lines that are known.

#include <string>

namespace waybill::test {

void write_byte(volatile unsigned char& byte, unsigned char value);
unsigned char read_byte(const volatile unsigned char& byte);

/// What a report calls them: "write_byte (touches.cpp:11)". Empty in a build without debug
/// information or without libdw.
std::string name_of_write();
std::string name_of_read();

}  // namespace waybill::test
