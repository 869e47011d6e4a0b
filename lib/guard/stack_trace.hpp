// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where a thread was, as bare addresses.

#include <array>
#include <cstddef>
#include <cstdint>

namespace waybill::guard {

struct StackTrace {
  static constexpr std::size_t max_frames = 24;

  /// Innermost first: the instruction itself, then the ones before each return address.
  std::array<std::uintptr_t, max_frames> instructions{};
  std::size_t count = 0;
};

/// Loads what unwinding needs, so that capture() does not allocate. Call it once
/// before the first capture().
void prepare_stack_traces() noexcept;

/// For a signal handler: the frames from the one that was at @p instruction when
/// the signal came; only that one if there is too little stack to unwind on. Takes
/// no lock with glibc 2.35 or newer, and the loader's, for a moment, with older ones.
void capture(StackTrace& trace, std::uintptr_t instruction) noexcept;

}  // namespace waybill::guard
