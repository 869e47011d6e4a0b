// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Looks an instruction up. One source with libdw, one without; symbols.hpp is
/// what others use.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "guard/symbols.hpp"

namespace waybill::guard {

/// Innermost first; empty if there is nothing better than exported_frame(). By one
/// thread at a time.
std::vector<SourceFrame> resolve(std::uintptr_t instruction);

/// What the dynamic loader knows.
SourceFrame exported_frame(std::uintptr_t instruction);

std::string without_directories(std::string_view path);

/// The name in C++; the name itself if it is not a mangled one.
std::string demangled(const char* name);

}  // namespace waybill::guard
