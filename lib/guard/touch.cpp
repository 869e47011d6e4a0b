// SPDX-License-Identifier: BSD-3-Clause
#include "guard/touch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "guard/symbols.hpp"
#include "registry/describe.hpp"

namespace waybill::guard {

namespace {

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

const char* verb_of(Touching touching) noexcept {
  switch (touching) {
    case Touching::read: return "read";
    case Touching::written: return "wrote";
    case Touching::unknown: break;
  }
  return "read or wrote";
}

/// The touching function, and below it those that called it, down to main.
struct Callers {
  std::string toucher = "an unknown instruction";
  std::string lines;
};

Callers callers_of(const StackTrace& trace) {
  Callers callers;
  bool first = true;
  for (std::size_t i = 0; i < trace.count; ++i) {
    for (const SourceFrame& frame : source_frames(trace.instructions[i])) {
      if (first) callers.toucher = describe(frame);
      else callers.lines += fmt::format("\n    called from {}", describe(frame));
      if (frame.function == "main") return callers;
      first = false;
    }
  }
  return callers;
}

}  // namespace

Finding finding_of(int rank, const Record& record, const Touch& touch) {
  const FindingKind kind = kind_of(record, touch);
  const Callers callers = callers_of(touch.trace);
  const std::size_t byte = touch.address - record.footprint.begin;
  std::string what = fmt::format(
      "{}: {} {} byte {} while the buffer was in flight{} (thread {}, seen by {}){}",
      registry::describe(record), callers.toucher, verb_of(touch.touching), byte,
      kind == FindingKind::buffer_lifetime ? ", and the function that held it has returned" : "",
      touch.thread, touch.at_watchpoint ? "a watchpoint" : "page protection", callers.lines);
  return Finding{kind, rank, record.site, {}, std::move(what), advice_on(kind)};
}

void write_briefly(int descriptor, int rank, const Record& record, const Touch& touch) noexcept {
  char line[512];
  try {
    // Formatting into a buffer of our own allocates nothing.
    const auto end = fmt::format_to_n(
        line, sizeof line,
        "waybill: {} on rank {}: {} #{} ({}:{}): the instruction at {:#x} {} byte {}, thread {}\n",
        name(kind_of(record, touch)), rank, registry::call_name(record), record.sequence,
        record.site.file, record.site.line, touch.trace.count > 0 ? touch.trace.instructions[0] : 0,
        verb_of(touch.touching), touch.address - record.footprint.begin, touch.thread);
    const std::size_t length = std::min(end.size, sizeof line);
    line[length - 1] = '\n';
    static_cast<void>(!write(descriptor, line, length));
  } catch (...) {  // a format that does not fit its arguments: the tests would know
  }
}

}  // namespace waybill::guard
