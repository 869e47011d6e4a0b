// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the kernel knows of this process's memory.

#include <array>
#include <cstddef>
#include <cstdint>

#include "guard/page_counts.hpp"

namespace waybill::guard {

/// Asks the kernel about mappings: by an ioctl on /proc/self/maps (Linux 6.11,
/// 0.5 us), else by reading the file, which takes microseconds per mapping; what was
/// read is then remembered. Uses neither heap nor locks. Not thread-safe. In a
/// child made by fork it would speak of the parent.
class Mappings {
 public:
  Mappings() noexcept;
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  ~Mappings();

  /// Whether all of it may be read and written but not executed, and consists of
  /// pages of the usual size: then closing and opening it leaves no trace.
  [[nodiscard]] bool is_plain(const Pages& pages) noexcept;

  /// For tests: as if this kernel did not have the ioctl.
  void forget_query() noexcept { has_query_ = false; }

 private:
  [[nodiscard]] bool ask(const Pages& pages) noexcept;
  [[nodiscard]] bool read(const Pages& pages) noexcept;

  int file_ = -1;
  bool has_query_ = true;
  std::array<Pages, 16> plain_;  // read before
  std::size_t next_ = 0;         // the one to be forgotten next
};

}  // namespace waybill::guard
