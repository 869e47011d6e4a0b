// SPDX-License-Identifier: BSD-3-Clause
#include "guard/stack_trace.hpp"

#include <execinfo.h>

#include <algorithm>

#include "guard/alternate_stack.hpp"

namespace waybill::guard {

namespace {

constexpr std::size_t unwinding_bytes = std::size_t{24} * 1024;
constexpr int handler_frames = 12;  // of ours, above the one that was interrupted

}  // namespace

void prepare_stack_traces() noexcept {
  void* frames[2];
  static_cast<void>(backtrace(frames, 2));
}

void capture(StackTrace& trace, std::uintptr_t instruction) noexcept {
  trace.count = 0;
  if (instruction != 0) trace.instructions[trace.count++] = instruction;
  if (handler_stack_bytes() < unwinding_bytes) return;
  void* frames[StackTrace::max_frames + handler_frames];
  const int found = backtrace(frames, static_cast<int>(std::size(frames)));
  void** const end = frames + found;
  void** at = std::find(frames, end, reinterpret_cast<void*>(instruction));
  if (instruction != 0 && at == end) return;
  if (instruction == 0) at = frames;
  else ++at;
  for (; at != end && trace.count < StackTrace::max_frames; ++at) {
    trace.instructions[trace.count++] = reinterpret_cast<std::uintptr_t>(*at) - 1;
  }
}

}  // namespace waybill::guard
