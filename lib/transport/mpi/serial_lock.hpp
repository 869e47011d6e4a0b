// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One call into MPI at a time, for MPI_THREAD_SERIALIZED; free of cost elsewhere.

#include <atomic>

namespace waybill::transport::mpi {

class SerialLock {
 public:
  /// Set once, before a second thread exists.
  static void enable(bool on) noexcept { enabled_ = on; }
  [[nodiscard]] static bool enabled() noexcept { return enabled_; }

  static void lock() noexcept;
  static void unlock() noexcept;

 private:
  static inline bool enabled_ = false;
  static inline std::atomic<bool> taken_{false};
};

/// Held around each MPI call or group of calls that belong together.
class Serialized {
 public:
  Serialized() noexcept : held_(SerialLock::enabled()) {
    if (held_) [[unlikely]]
      SerialLock::lock();
  }
  Serialized(const Serialized&) = delete;
  Serialized& operator=(const Serialized&) = delete;
  ~Serialized() {
    if (held_) [[unlikely]]
      SerialLock::unlock();
  }

 private:
  const bool held_;
};

}  // namespace waybill::transport::mpi
