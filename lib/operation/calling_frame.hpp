// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where on the stack the program made the call that this thread is inside: what lies below
/// belongs to functions that have returned.

namespace waybill::operation {

/// Null where it is not known.
extern constinit thread_local const void* calling_frame;

/// Sets it for the time of a call. @p frame is __builtin_frame_address(0) of the public
/// function.
class CallingFrame {
 public:
  explicit CallingFrame(const void* frame) noexcept { calling_frame = frame; }
  CallingFrame(const CallingFrame&) = delete;
  CallingFrame& operator=(const CallingFrame&) = delete;
  ~CallingFrame() { calling_frame = nullptr; }
};

}  // namespace waybill::operation
