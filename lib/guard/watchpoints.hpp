// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The processor's watchpoints, for bytes that share their page with others.

#include <signal.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "guard/page_counts.hpp"

namespace waybill::guard {

/// Bytes [begin, end), watched by up to four registers in each thread.
struct WatchedEdge {
  static constexpr std::size_t max_bytes = 32;

  ~WatchedEdge();
  WatchedEdge() = default;
  WatchedEdge(const WatchedEdge&) = delete;
  WatchedEdge& operator=(const WatchedEdge&) = delete;

  /// Signal-safe: no more signals, except those that are on their way.
  void disable() const noexcept;

  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  int registers = 0;
  int* descriptors = nullptr;  ///< of perf events, owned
  std::size_t descriptor_count = 0;
  std::array<unsigned char, max_bytes> before{};  ///< what they held
  WatchedEdge* next = nullptr;                    ///< of the same operation
};

/// Arms watchpoints through perf_event_open(2), in all threads that there are, and
/// in those that they start. The touching thread gets SIGTRAP (Linux 5.13) right
/// after its instruction. Writes of the kernel are not seen. Any number of threads.
class Watchpoints {
 public:
  static constexpr int registers = 4;

  /// Null if it takes more registers than are free, or the kernel refuses; then
  /// refusal() may have a reason that holds for all. @p serial comes with each signal.
  [[nodiscard]] WatchedEdge* arm(const Pages& bytes, std::uint64_t serial) noexcept;
  /// Closes and deletes it.
  void disarm(WatchedEdge* edge) noexcept;

  /// Why there will never be watchpoints in this process: an errno.
  [[nodiscard]] int refusal() const noexcept { return refusal_.load(std::memory_order_relaxed); }
  void refuse(int reason) noexcept { refusal_.store(reason, std::memory_order_relaxed); }

  /// Registers that the bytes take: pieces of 8, 4, 2 and 1 B at multiples of their size.
  [[nodiscard]] static int registers_for(const Pages& bytes) noexcept;
  /// Signal-safe: the size of the first of these pieces.
  [[nodiscard]] static std::uintptr_t piece_bytes(const Pages& rest) noexcept;
  /// Signal-safe: the serial of a SIGTRAP that one of ours has caused.
  [[nodiscard]] static std::optional<std::uint64_t> serial_of(const siginfo_t* info) noexcept;

 private:
  std::atomic<int> free_{registers};  // counts only; orders nothing
  std::atomic<int> refusal_{0};       // says only what to print
};

}  // namespace waybill::guard
