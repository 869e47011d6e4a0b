// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a receive or a probe found.

#include <cstddef>
#include <utility>

#include "waybill/config.hpp"

namespace waybill {

inline constexpr int any_source = -1;
inline constexpr int any_tag = -1;
/// A peer that does not exist, as MPI_PROC_NULL: the operation completes at once,
/// moves nothing and, for a receive, has this as its source (MPI 3.1 section 3.11).
inline constexpr int null_rank = -2;

/// Source, tag and size of a message. A message may be shorter than the buffer
/// that received it (MPI 3.1 section 3.2.5). A program that relies on that asks
/// for bytes() or elements(); if a blocking recv() was short and its Status is
/// destroyed without anybody asking, that is the finding `short-message`.
/// A value type for one thread.
class WAYBILL_API Status {
 public:
  Status() noexcept = default;
  Status(int source, int tag, std::size_t bytes, std::size_t element_bytes) noexcept
      : bytes_(bytes), element_bytes_(element_bytes), source_(source), tag_(tag) {}
  /// A copy counts as having asked.
  Status(const Status& other) noexcept;
  Status& operator=(const Status& other) noexcept;
  Status(Status&& other) noexcept;
  Status& operator=(Status&& other) noexcept;
  ~Status() {
    if (unread_ != nullptr) [[unlikely]]
      report_unread();
  }

  /// Rank in the communicator that sent the message.
  [[nodiscard]] int source() const noexcept { return source_; }
  [[nodiscard]] int tag() const noexcept { return tag_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    if (unread_ != nullptr) [[unlikely]]
      forget_unread();
    return bytes_;
  }
  /// In elements of the receive buffer's type (of MPI's extent-free type size
  /// for an MPI_Datatype); in bytes for a probe. An incomplete last one counts not.
  [[nodiscard]] std::size_t elements() const noexcept {
    return element_bytes_ == 0 ? 0 : bytes() / element_bytes_;
  }
  /// In elements of T, whatever the receive buffer's type: for probes.
  template <class T>
  [[nodiscard]] std::size_t elements_of() const noexcept {
    return bytes() / sizeof(T);
  }

 private:
  friend class StatusAccess;
  void report_unread() noexcept;
  void forget_unread() const noexcept;

  std::size_t bytes_ = 0;
  std::size_t element_bytes_ = 1;
  int source_ = any_source;
  int tag_ = any_tag;
  mutable struct ShortMessage* unread_ = nullptr;  // owned; only short blocking receives have one
};

}  // namespace waybill
