// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Knows the operations in flight and the bytes they own, and turns facts about
/// them into findings. Takes plain data: it knows neither Work nor MPI.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "registry/byte_index.hpp"
#include "registry/record.hpp"
#include "registry/sink.hpp"

namespace waybill::registry {

/// One byte, or some of those from @p offset on, counted from the first byte that the
/// operation touches.
struct ContentChange {
  std::size_t offset = 0;
  std::size_t bytes = 1;
  bool on_stack = false;  ///< of the calling thread
};

/// An operation that does not end.
struct Stall {
  std::chrono::milliseconds age{0};
  std::size_t others = 0;  ///< in flight besides it
  /// What was last completed with its peer, and how long ago; nothing if there is no peer.
  std::optional<Record> last;
  std::chrono::milliseconds last_age{0};
};

/// How a program gives up memory.
enum class Loss : std::uint8_t {
  freed,        ///< by free(), or delete, which calls it
  reallocated,  ///< by realloc(): moved, or made smaller
  unmapped,     ///< by munmap()
  remapped,     ///< by mremap(): moved, or made smaller
};

/// Any number of threads at once. Calls the sink on the calling thread, without
/// a lock. Nothing throws: without memory for its text a finding is lost.
class Registry {
 public:
  /// @p rank of this process and number of processes in MPI_COMM_WORLD.
  Registry(int rank, int size, Sink& sink);

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }

  /// From here to release() the record's bytes belong to it. Finds
  /// `overlapping-buffers`: one for each operation in flight that shares a byte
  /// with it where at least one of both writes.
  [[gnu::always_inline]] void post(Record& record) noexcept {
    if (!index_.insert_if_alone(record)) post_among_others(record);
  }
  /// The bytes are free again: at completion, before the program is told. A
  /// record that is not posted is passed over.
  void release(Record& record) noexcept { index_.remove(record); }
  /// The same for one that is posted, where it takes no call; else false, and nothing done.
  [[nodiscard, gnu::always_inline]] bool release_at_once(Record& record) noexcept {
    return index_.remove_if_alone(record);
  }

  /// The handle was destroyed before anybody waited: before or after the
  /// operation completed, perhaps by an exception on its way.
  void dropped(const Record& record, bool complete, bool unwinding) noexcept;
  /// Complete, and its handle alive, but until shutdown nobody looked.
  void never_waited(const Record& record) noexcept;
  /// In flight when shutdown began: drained if it completed within the bound.
  /// Abandoned if its handle had been dropped or detached.
  void unfinished(const Record& record, bool drained, bool abandoned) noexcept;
  /// The message was longer than the buffer; its size is not always known, nor
  /// its source and tag (-1).
  void truncated(const Record& record, int source, int tag,
                 std::optional<std::size_t> sent_bytes) noexcept;
  /// The message was shorter than the buffer and nobody asked for its size.
  void short_message(const Record& record, int source, int tag, std::size_t got) noexcept;
  /// The program wrote into the buffer while the operation was in flight.
  void content_changed(const Record& record, const ContentChange& change) noexcept;
  /// It has been in flight for so long.
  void stalled(const Record& record, const Stall& stall) noexcept;
  /// Another thread was posting a collective on the same communicator.
  void concurrent(const Record& record, const PostingSite& other) noexcept;
  /// Ranks made different calls; @p what says which.
  void mismatch(const Record& record, const std::string& what) noexcept;
  /// The function that has the buffer on its stack returned while it was in flight.
  void outlived_frame(const Record& record) noexcept;
  /// The buffer's memory is not there any more.
  void buffer_gone(const Record& record) noexcept;
  /// Copies of the posted records that touch this memory, for buffer_lost(). See
  /// ByteIndex::touching().
  [[nodiscard]] std::vector<Record> posted_in(std::uintptr_t begin, std::size_t bytes) noexcept {
    return index_.touching(begin, bytes);
  }
  /// The calling thread gave the buffer's memory up while it was in flight.
  void buffer_lost(const Record& record, Loss how) noexcept;

 private:
  void post_among_others(Record& record) noexcept;
  void overlap(const Record& record, const Record& earlier) noexcept;
  /// Both buffers of one collective.
  void aliased(const Record& contribution, const Record& result) noexcept;
  template <class Text>
  void find(FindingKind kind, const Record& record, const PostingSite& other, const char* advice,
            Text text) noexcept;

  const int rank_;
  const int size_;
  Sink& sink_;
  ByteIndex index_;
};

}  // namespace waybill::registry
