// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_event.hpp"

namespace waybill::recorder {

const char* name(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::none: break;
    case EventKind::post: return "post";
    case EventKind::complete: return "complete";
    case EventKind::failed: return "failed";
    case EventKind::cancelled: return "cancelled";
    case EventKind::wait: return "wait";
    case EventKind::wait_any: return "wait_any";
    case EventKind::waited: return "waited";
    case EventKind::expired: return "expired";
    case EventKind::stopped: return "stopped";
    case EventKind::drop: return "drop";
    case EventKind::detach: return "detach";
    case EventKind::cancel: return "cancel";
    case EventKind::finding: return "finding";
  }
  return "unknown";
}

const char* name(Transfer transfer) noexcept {
  switch (transfer) {
    case Transfer::none: return nullptr;
    case Transfer::send: return "isend";
    case Transfer::receive: return "irecv";
    default: break;
  }
  const int call = static_cast<int>(transfer) - static_cast<int>(Transfer::collectives);
  return registry::name(static_cast<registry::Call>(call));
}

}  // namespace waybill::recorder
