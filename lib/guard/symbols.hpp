// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Instructions in words. Not for signal handlers.

#include <cstdint>
#include <string>
#include <vector>

namespace waybill::guard {

struct SourceFrame {
  std::string function;  ///< empty if not known
  std::string file;      ///< without directories; empty without debug information
  unsigned line = 0;
  std::string object;         ///< the program or library, without directories
  std::uintptr_t offset = 0;  ///< in the object, as addr2line(1) wants it

  bool operator==(const SourceFrame&) const = default;
};

/// The functions that the instruction belongs to, the innermost first: several if
/// they were inlined into each other, at least one. Any number of threads; answers
/// are remembered. symbols_dwarf.cpp reads debug information with libdw;
/// symbols_plain.cpp knows exported functions only.
std::vector<SourceFrame> source_frames(std::uintptr_t instruction);

/// `step (heat.cpp:95)`, `step (heat+0x12ab)`, `heat+0x12ab`
std::string describe(const SourceFrame& frame);

}  // namespace waybill::guard
