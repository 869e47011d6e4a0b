// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The handle of one asynchronous operation.

#include <chrono>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>

#include "waybill/config.hpp"
#include "waybill/error.hpp"
#include "waybill/status.hpp"

namespace waybill {

class Operation;

namespace detail {

/// Saturates on both sides, so that hours::max() waits for ever and hours::min()
/// does not.
template <class Rep, class Period>
std::chrono::steady_clock::time_point deadline(std::chrono::duration<Rep, Period> timeout) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> seconds(timeout);
  if (!(seconds.count() > 0)) return Clock::time_point::min();  // also not a number
  const auto now = Clock::now();
  const std::chrono::duration<double> room = Clock::time_point::max() - now;
  if (seconds >= room) return Clock::time_point::max();
  return now + std::chrono::ceil<Clock::duration>(timeout);
}

/// Of a time on another clock, without overflow at its ends.
template <class Clock, class Duration>
std::chrono::steady_clock::time_point deadline(std::chrono::time_point<Clock, Duration> time) {
  using Seconds = std::chrono::duration<double>;
  return deadline(Seconds(time.time_since_epoch()) - Seconds(Clock::now().time_since_epoch()));
}

}  // namespace detail

/// Stands for an operation from the post until it was waited for. Move-only.
///
/// One thread at a time may use a Work (like std::future); different Works may
/// be used from any number of threads at once. A Work must be waited for, tested
/// to completion or detached: destroying it before that is the finding
/// `dropped-handle`, though the message still goes. The destructor never blocks
/// and never throws. After Runtime::shutdown() every Work is stale: its calls
/// throw Errc::not_running and its destructor does nothing.
///
/// wait*() and test() may be called again after completion and answer the same.
class [[nodiscard]] WAYBILL_API Work {
 public:
  /// Empty: valid() is false and every other call throws Errc::empty_handle.
  Work() noexcept = default;
  Work(Work&& other) noexcept
      : operation_(std::exchange(other.operation_, nullptr)), generation_(other.generation_) {}
  Work& operator=(Work&& other) noexcept {
    if (this == &other) return *this;
    if (operation_ != nullptr) drop();
    operation_ = std::exchange(other.operation_, nullptr);
    generation_ = other.generation_;
    return *this;
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    if (operation_ != nullptr) drop();
  }

  [[nodiscard]] bool valid() const noexcept { return operation_ != nullptr; }

  /// Blocks this thread until the operation is complete: a send buffer may be
  /// reused, a receive buffer holds the data. Throws Error if it failed.
  void wait();
  void wait(std::error_code& failure) noexcept;

  /// Blocks at most this long, counted from this call; true if complete. When
  /// the time is over the operation goes on untouched. A zero or negative
  /// time-out tests once.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> timeout) {
    return wait_until(detail::deadline(timeout));
  }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> timeout,
                              std::error_code& failure) noexcept {
    return wait_until(detail::deadline(timeout), failure);
  }
  [[nodiscard]] bool wait_until(std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] bool wait_until(std::chrono::steady_clock::time_point deadline,
                                std::error_code& failure) noexcept;
  template <class Clock, class Duration>
  [[nodiscard]] bool wait_until(std::chrono::time_point<Clock, Duration> time) {
    return wait_until(detail::deadline(time));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool wait_until(std::chrono::time_point<Clock, Duration> time,
                                std::error_code& failure) noexcept {
    return wait_until(detail::deadline(time), failure);
  }

  /// Never blocks; true if complete. Drives progress.
  [[nodiscard]] bool test();
  [[nodiscard]] bool test(std::error_code& failure) noexcept;

  /// Of a completed operation: for a receive source, tag and size of the
  /// message, for a send the peer, its tag and the size sent. Throws
  /// Errc::not_complete before completion.
  [[nodiscard]] Status status() const;

  /// The failure of a completed operation, or no error; also no error while in flight.
  [[nodiscard]] std::error_code error() const noexcept;

  /// Receives only: true if the receive was taken back before a message matched
  /// it, which then counts as waited for; false if it completes or has completed
  /// with its message (MPI 3.1 section 3.8.4). May drive progress for a moment.
  /// A send throws Errc::cannot_cancel_send.
  bool cancel();

  /// "I will not wait": the handle becomes empty and the operation goes on
  /// without a finding. The buffer must live until the message is through.
  void detach();

 protected:
  /// Whether this handle saw its operation complete, well or not.
  [[nodiscard]] bool seen_complete() const noexcept;

 private:
  friend class WorkAccess;
  Work(Operation* operation, std::uint32_t generation) noexcept
      : operation_(operation), generation_(generation) {}
  void drop() noexcept;

  Operation* operation_ = nullptr;
  std::uint32_t generation_ = 0;  // of the slot when this handle was made
};

/// Keeps a moved-in container alive inside the operation.
class WAYBILL_API Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  virtual ~Keeper();
};

namespace detail {

template <class C>
class ContainerKeeper final : public Keeper {
 public:
  explicit ContainerKeeper(C&& container) : container_(std::move(container)) {}
  [[nodiscard]] C& container() noexcept { return container_; }

 private:
  C container_;
};

}  // namespace detail

/// The handle of an operation that owns its buffer: the container was moved in
/// and take() hands it back, so that it cannot be touched in between. If the
/// handle is dropped or detached, the container lives until the message is through.
template <class C>
class [[nodiscard]] OwnedWork : public Work {
 public:
  OwnedWork() noexcept = default;
  OwnedWork(Work&& work, C* container) noexcept : Work(std::move(work)), container_(container) {}

  /// Waits, hands the container back and leaves the handle empty. Throws Error
  /// if the operation failed; the container then stays until take(failure).
  [[nodiscard]] C take() {
    wait();
    return hand_back();
  }
  /// Hands the container back also when the operation failed. An empty one if the
  /// operation could not be waited for: then the message may still be on its way,
  /// or the container is gone with its Runtime.
  [[nodiscard]] C take(std::error_code& failure) {
    wait(failure);
    return seen_complete() ? hand_back() : C();
  }

 private:
  C hand_back() {
    C container(std::move(*container_));
    container_ = nullptr;
    Work released(std::move(static_cast<Work&>(*this)));
    return container;
  }

  C* container_ = nullptr;  // inside the operation's Keeper
};

}  // namespace waybill
