// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Reports who touches a buffer in flight, at the touching instruction.

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "guard/fault_handler.hpp"
#include "guard/page_guard.hpp"
#include "guard/watchpoints.hpp"
#include "registry/sink.hpp"

namespace waybill::guard {

struct GuardOptions {
  bool watchpoints = true;  ///< use them where they work
  /// Told once per reason why something is not watched. Called without locks, by any thread.
  std::function<void(const std::string&)> say = nullptr;
};

/// How the bytes of one operation are watched, from its first byte on. What is not
/// watched is for the caller to compare.
struct Coverage {
  std::size_t head = 0;       ///< bytes before the protected pages: all, if there are none
  std::size_t pages = 0;      ///< bytes on protected pages
  std::size_t tail = 0;       ///< bytes behind them
  bool head_watched = false;  ///< by watchpoints
  bool tail_watched = false;

  [[nodiscard]] bool complete() const noexcept {
    return (head == 0 || head_watched) && (tail == 0 || tail_watched);
  }
};

/// How many operations were watched how, since the start.
struct GuardCounts {
  std::size_t pages = 0;        ///< with protected pages
  std::size_t watchpoints = 0;  ///< with watchpoints, perhaps besides pages
  std::size_t unwatched = 0;    ///< with neither
  std::size_t unprotected = 0;  ///< had whole pages that could not be protected
};

/// One in a process at a time. Any number of threads; not from signal handlers.
///
/// From protect() to release() nobody may write what is sent, nor touch what is
/// received: not the program, not the transport, which therefore receives elsewhere.
/// Reading what is sent is free, also for other processes. The first touch of an
/// operation is noted in a signal handler, its pages are opened, and execution goes
/// on; release() tells the sink.
class Guard {
 public:
  /// Installs the signal handlers. Under valgrind nothing is watched, see surroundings.hpp.
  Guard(int rank, registry::Sink& sink, GuardOptions options = {});
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  /// Tells what was found and not told. Operations that were not released are
  /// so by this. Restores the handlers.
  ~Guard();

  /// Watches the bytes of a contiguous buffer that the record describes; the record is
  /// copied. Null if nothing of it is watched.
  [[nodiscard]] Guarded* protect(const registry::Record& record) noexcept;
  [[nodiscard]] static Coverage coverage(const Guarded& guarded) noexcept;
  /// Gives the bytes back, whatever happened; then tells the sink if there was a
  /// touch, unless the mistake is @p known. True if there was. Null is passed over.
  bool release(Guarded* guarded, bool known = false) noexcept;

  [[nodiscard]] GuardCounts counts() const noexcept;

 private:
  enum Reason : unsigned char { valgrind, debugger, foreign_handler, refused, no_room };

  void watch(Guarded& guarded, const Pages& bytes) noexcept;
  void tell(const registry::Record& record, const Touch& touch) noexcept;
  void say_once(Reason reason, int error = 0) noexcept;
  [[nodiscard]] static std::string reason_text(Reason reason, int error);

  const int rank_;
  registry::Sink& sink_;
  const GuardOptions options_;
  const bool is_on_;
  PageGuard pages_;
  Watchpoints watchpoints_;
  FaultHandler handler_;
  std::array<std::atomic<bool>, 5> said_{};
  std::array<std::atomic<std::size_t>, 4> counts_{};  // as in GuardCounts; order nothing
};

}  // namespace waybill::guard
