// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/finding.hpp"

namespace waybill {

const char* name(FindingKind kind) noexcept {
  switch (kind) {
    case FindingKind::dropped_handle: return "dropped-handle";
    case FindingKind::overlapping_buffers: return "overlapping-buffers";
    case FindingKind::unfinished_at_shutdown: return "unfinished-at-shutdown";
    case FindingKind::never_waited: return "never-waited";
    case FindingKind::truncated: return "truncated";
    case FindingKind::short_message: return "short-message";
    case FindingKind::send_buffer_modified: return "send-buffer-modified";
    case FindingKind::recv_buffer_touched: return "recv-buffer-touched";
    case FindingKind::buffer_lifetime: return "buffer-lifetime";
    case FindingKind::stalled: return "stalled";
    case FindingKind::collective_mismatch: return "collective-mismatch";
    case FindingKind::concurrent_collectives: return "concurrent-collectives";
  }
  return "unknown";
}

}  // namespace waybill
