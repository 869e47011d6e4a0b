// SPDX-License-Identifier: BSD-3-Clause
#include "guard/touch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "guard/symbols.hpp"
#include "registry/describe.hpp"

namespace waybill::guard {

namespace {

using registry::Kind;
using registry::Record;

/// The buffer reaches over the end of the stack, so its frame is gone.
bool stack_has_returned(const Record& record, const Touch& touch) noexcept {
  return touch.stack_pointer > record.footprint.begin &&
         touch.stack_pointer <= record.footprint.end;
}

FindingKind kind_of(const Record& record, const Touch& touch) noexcept {
  if (stack_has_returned(record, touch)) return FindingKind::buffer_lifetime;
  return record.access == registry::Access::read ? FindingKind::send_buffer_modified
                                                 : FindingKind::recv_buffer_touched;
}

const char* advice_on(FindingKind kind) noexcept {
  switch (kind) {
    case FindingKind::buffer_lifetime:
      return "wait() before the function that holds the buffer returns, or keep the buffer "
             "elsewhere";
    case FindingKind::send_buffer_modified: return "wait() before changing the buffer";
    default: return "wait() before using the buffer";
  }
}

const char* name_of(Touching touching) noexcept {
  switch (touching) {
    case Touching::read: return "read";
    case Touching::written: return "written";
    case Touching::unknown: break;
  }
  return "read or written";
}

/// One line per function, and who was seen first in one word.
std::string stack_lines(const StackTrace& trace, std::string& innermost) {
  std::string lines;
  for (std::size_t i = 0; i < trace.count; ++i) {
    for (const SourceFrame& frame : source_frames(trace.instructions[i])) {
      if (innermost.empty()) innermost = describe(frame);
      else lines += fmt::format("\n    called from {}", describe(frame));
    }
  }
  if (innermost.empty()) innermost = "an unknown instruction";
  return lines;
}

}  // namespace

Finding finding_of(int rank, const Record& record, const Touch& touch) {
  const FindingKind kind = kind_of(record, touch);
  std::string by;
  const std::string callers = stack_lines(touch.trace, by);
  return Finding{
      kind,
      rank,
      record.site,
      {},
      fmt::format("{}: {}byte {} was {} while in flight, by {}, thread {} (seen by {}){}",
                  registry::describe(record),
                  kind == FindingKind::buffer_lifetime
                      ? "the function that held the buffer has returned; "
                      : "",
                  touch.address - record.footprint.begin, name_of(touch.touching), by, touch.thread,
                  touch.at_watchpoint ? "a watchpoint" : "page protection", callers),
      advice_on(kind)};
}

void write_briefly(int descriptor, int rank, const Record& record, const Touch& touch) noexcept {
  char line[512];
  // Formatting into a buffer of our own allocates nothing.
  const auto end = fmt::format_to_n(
      line, sizeof line,
      "waybill: {} on rank {}: {} #{} ({}:{}): byte {} was {} by the instruction at {:#x}, thread "
      "{}\n",
      name(kind_of(record, touch)), rank, record.kind == Kind::send ? "isend" : "irecv",
      record.sequence, record.site.file, record.site.line, touch.address - record.footprint.begin,
      name_of(touch.touching), touch.trace.count > 0 ? touch.trace.instructions[0] : 0,
      touch.thread);
  static_cast<void>(!write(descriptor, line, std::min(end.size, sizeof line)));
}

}  // namespace waybill::guard
