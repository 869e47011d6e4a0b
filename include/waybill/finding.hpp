// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One detected mistake. docs/findings.md explains each kind.

#include <cstddef>
#include <cstdint>
#include <string>

#include "waybill/config.hpp"

namespace waybill {

enum class FindingKind : std::uint8_t {
  dropped_handle,
  overlapping_buffers,
  unfinished_at_shutdown,
  never_waited,
  truncated,
  short_message,
  send_buffer_modified,
  recv_buffer_touched,
  buffer_lifetime,
  stalled,
  concurrent_collectives,
  collective_mismatch,
};
inline constexpr std::size_t finding_kinds = 12;

/// The name used in reports: "dropped-handle" ...
[[nodiscard]] WAYBILL_API const char* name(FindingKind kind) noexcept;

/// A posting line. File and function are string literals of the program.
struct PostingSite {
  const char* file = "";
  const char* function = "";
  std::uint32_t line = 0;
};

struct Finding {
  FindingKind kind{};
  int rank = 0;        ///< in MPI_COMM_WORLD, of the process that saw it
  PostingSite site;    ///< the operation's post
  PostingSite other;   ///< the second post, or a persistent operation's start; else line 0
  std::string what;    ///< operation, peer, tag, size, and what happened
  std::string advice;  ///< what to do
};

}  // namespace waybill
