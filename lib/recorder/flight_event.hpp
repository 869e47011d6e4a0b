// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the flight recorder remembers: one event in the life of an operation.

#include <cstddef>
#include <cstdint>

#include "registry/call.hpp"

namespace waybill::recorder {

enum class EventKind : std::uint8_t {
  none,       ///< of an entry that was never written
  post,       ///< handed to the transport
  complete,   ///< the transfer ended: peer, tag and bytes are the message's
  failed,     ///< the transfer ended with an error
  cancelled,  ///< the receive was taken back
  wait,       ///< a wait begins
  wait_any,   ///< a wait for some of several begins; `bytes` holds how many
  waited,     ///< ... and saw the operation complete
  expired,    ///< ... or its time was over
  stopped,    ///< ... or the Runtime shut down
  drop,       ///< the handle was destroyed before anybody waited
  detach,
  cancel,   ///< asked for
  finding,  ///< file and line of the posting site; `bytes` holds the FindingKind
};
inline constexpr std::size_t event_kinds = 14;

/// The name in a dump: "post" ...
[[nodiscard]] const char* name(EventKind kind) noexcept;

/// From `collectives` on, the calls of registry/call.hpp.
enum class Transfer : std::uint8_t { none, send, receive, collectives };

[[nodiscard]] constexpr Transfer transfer_of(registry::Call call) noexcept {
  return static_cast<Transfer>(static_cast<int>(Transfer::collectives) + static_cast<int>(call));
}

/// "isend", "irecv", "broadcast_async" ..., or null.
[[nodiscard]] const char* name(Transfer transfer) noexcept;

/// Pointers are to strings that live as long as the process.
struct FlightEvent {
  EventKind kind = EventKind::none;
  Transfer transfer = Transfer::none;
  std::int32_t peer = -1;
  std::int32_t tag = -1;
  std::uint32_t line = 0;
  std::uint64_t sequence = 0;  ///< of the post, or 0
  std::uint64_t bytes = 0;
  const char* communicator = nullptr;
  const char* file = nullptr;
};

/// One that was read back.
struct RecordedEvent {
  FlightEvent event;
  std::uint64_t ticks = 0;   ///< see ticks.hpp
  std::uint64_t number = 0;  ///< in its lane, from 0
  std::uint16_t thread = 0;
};

}  // namespace waybill::recorder
