// SPDX-License-Identifier: BSD-3-Clause
#define BACKWARD_HAS_DW 1
#include <backward.hpp>

#include "guard/resolve.hpp"

namespace waybill::guard {

/// A resolver reads the list of loaded objects once, so each lookup has one of its
/// own; only the first of a place comes here. Backward tells the line of the
/// innermost function, the name of the outermost, and in between who was inlined
/// where.
std::vector<SourceFrame> resolve(std::uintptr_t instruction) {
  backward::TraceResolver resolver;
  const backward::ResolvedTrace found = resolver.resolve(
      backward::ResolvedTrace(backward::Trace(reinterpret_cast<void*>(instruction), 0)));
  if (found.source.filename.empty()) return {};
  const SourceFrame exported = exported_frame(instruction);
  std::vector<SourceFrame> frames;
  backward::ResolvedTrace::SourceLoc place = found.source;
  const auto add = [&](const std::string& function) {
    SourceFrame frame = exported;
    frame.function = function;
    frame.file = without_directories(place.filename);
    frame.line = place.line;
    frames.push_back(frame);
  };
  for (const auto& inlined : found.inliners) {
    add(inlined.function);
    place = inlined;
  }
  add(found.source.function);
  return frames;
}

}  // namespace waybill::guard
