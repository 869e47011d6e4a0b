// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Level `content`: whether the bytes of operations in flight are left alone.
///
/// The bytes are remembered at the post and compared when the program gets them back. A
/// message lands in a shadow first, so that a change in a receive buffer can only be the
/// program's. All members are for the operation's owner; different operations may be
/// worked on by different threads at once.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "registry/content/careful_access.hpp"
#include "registry/content/held_memory.hpp"
#include "registry/content/seal.hpp"
#include "registry/record.hpp"
#include "registry/registry.hpp"
#include "waybill/buffer.hpp"

namespace waybill::registry {

struct ContentOptions {
  /// Receives of more bytes are not watched.
  std::size_t shadow_limit = std::size_t{64} << 10U;
  /// Of larger buffers only so many bytes, in blocks chosen by chance.
  std::size_t sample = std::numeric_limits<std::size_t>::max();
  /// For copies, sums and shadows of all operations together. What needs more is not watched.
  std::size_t memory = std::size_t{256} << 20U;
  /// Told what operations hold, if somebody asks; outlives the ContentWatch.
  HeldMemory* held = nullptr;
};

class ContentWatch {
 public:
  explicit ContentWatch(Registry& registry, const ContentOptions& options = {});

  /// Before the record is posted, so that overlaps are remembered.
  static void prepare(Record& record) noexcept;
  /// At the post, before the transport sees the buffer. Returns what the transport is to
  /// work with instead.
  BufferShape begin(Record& record, const BufferShape& buffer) noexcept;
  /// The program gets the bytes back, or gives the handle away: finds
  /// `send-buffer-modified`, `recv-buffer-touched` and `buffer-lifetime`, once. @p frame is
  /// that of the call the program made, or null. Finds nothing if the mistake was @p told,
  /// or if another operation shared the bytes or they were freed, which was told then.
  void check(Record& record, const void* frame, bool told = false) noexcept;
  /// The buffer was freed while the operation was in flight, which was told then.
  [[nodiscard]] static bool is_lost(const Record& record) noexcept;
  /// A receive has ended: its first @p bytes go into the buffer.
  void deliver(Record& record, std::size_t bytes) noexcept;
  /// Something that the caller wants to keep with a record that begin() returned for. Null
  /// where nothing can be kept.
  [[nodiscard]] static void** attachment(const Record& record) noexcept;
  /// Nothing more will be asked about the record.
  void end(Record& record) noexcept;
  /// The same, but the transport may still write.
  void abandon(Record& record) noexcept;

 private:
  void compare(const Record& record, const Seal& seal) noexcept;
  void hold(const Record& record) noexcept;
  void let_go(const Record& record) noexcept;

  Registry& registry_;
  const ContentOptions options_;
  ContentMemory memory_;
  CarefulAccess careful_;
};

}  // namespace waybill::registry
