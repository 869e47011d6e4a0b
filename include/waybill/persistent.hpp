// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Sends and receives that are described once and started many times.

#include <cstdint>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "waybill/buffer.hpp"
#include "waybill/config.hpp"
#include "waybill/source_location.hpp"
#include "waybill/work.hpp"

namespace waybill {

class CommunicatorState;

/// Made by Communicator::send_init and recv_init: buffer, peer and tag of a message that
/// every step of an iteration sends again. start() posts it, and then this is the Work of
/// that operation, with all its rules (MPI 3.1 section 3.9 for those of a start): it
/// must be waited for or tested to completion before the next start(), and destroying it
/// while it is active is the finding `dropped-handle`. Never started, it is an empty Work.
/// At the other end the message is one like all others.
///
/// The buffer must live, and an MPI_Datatype too, until the last operation is complete;
/// between two of them it is the program's. Move-only, for one thread at a time. Findings
/// and errors of its operations name the line of send_init or recv_init, and Finding::other
/// the line of start().
class [[nodiscard]] WAYBILL_API PersistentWork : public Work {
 public:
  /// Empty: start() throws Errc::empty_handle.
  PersistentWork() noexcept = default;

  /// Sends or receives once. Throws Error: Errc::invalid_option while it is active, else
  /// what Communicator::isend throws; nothing is started then.
  void start(const SourceLocation& where = SourceLocation::current());
  void start(std::error_code& failure, const SourceLocation& where = SourceLocation::current());

  /// Started, and not seen complete since.
  [[nodiscard]] bool active() const noexcept { return valid() && !seen_complete(); }

 private:
  friend class Communicator;
  PersistentWork(std::shared_ptr<CommunicatorState> state, const BufferShape& buffer, int peer,
                 int tag, bool receives, const SourceLocation& where) noexcept
      : state_(std::move(state)),
        buffer_(buffer),
        made_(where),
        peer_(peer),
        tag_(tag),
        receives_(receives) {}
  void end_last(const SourceLocation& where);
  void remember(const SourceLocation& where) noexcept;

  std::shared_ptr<CommunicatorState> state_;
  BufferShape buffer_;
  SourceLocation made_;
  SourceLocation started_;
  int peer_ = 0;
  int tag_ = 0;
  bool receives_ = false;
  std::uint8_t started_number_ = 0;  // of started_, as operations remember it
};

/// Starts each, in this order. If one is refused, those before it are active.
WAYBILL_API void start_all(std::span<PersistentWork> works,
                           const SourceLocation& where = SourceLocation::current());
/// Blocks until none is active, then throws the first failure, if any. What was never
/// started is passed over.
WAYBILL_API void wait_all(std::span<PersistentWork> works);

}  // namespace waybill
