// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How many operations hold each page, and what protection follows from that.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>

#include "registry/record.hpp"

namespace waybill::guard {

using registry::Access;

/// A run of whole pages, [begin, end).
struct Pages {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  [[nodiscard]] bool empty() const noexcept { return begin >= end; }
  [[nodiscard]] bool contains(std::uintptr_t address) const noexcept {
    return address >= begin && address < end;
  }
};

enum class Protection : std::uint8_t { open, read_only, closed };

/// What changes protections: mprotect(2), or a test's model of it.
struct Protector {
  Protector() = default;
  Protector(const Protector&) = delete;
  Protector& operator=(const Protector&) = delete;
  virtual ~Protector();

  /// False if it failed, perhaps after a part of the pages.
  virtual bool set(const Pages& pages, Protection protection) noexcept = 0;
  /// Whether unheld pages may be read and written, so that "open" is what they were.
  virtual bool is_open(const Pages& pages) noexcept = 0;
};

/// The strictest holder of a page decides: a receive closes it, sends alone make it
/// read-only. Calls the Protector once per run of pages that changes. Costs
/// logarithms of the number of operations, plus the operations that share pages
/// with this one. Not thread-safe.
class PageCounts {
 public:
  PageCounts(Protector& protector, std::pmr::memory_resource& memory)
      : protector_(protector), boundaries_(&memory) {}

  /// False, and nothing changed, if the pages cannot be protected.
  [[nodiscard]] bool add(const Pages& pages, Access access) noexcept;
  /// What add() has added. Needs no memory. Where the kernel refuses to open the
  /// pages, because that would make one mapping more than allowed, all protected
  /// pages around are opened with them, and stay open until nobody holds them.
  void remove(const Pages& pages, Access access) noexcept;

  [[nodiscard]] Protection at(std::uintptr_t address) const noexcept;
  /// Whether nobody holds any page.
  [[nodiscard]] bool empty() const noexcept { return boundaries_.empty(); }

 private:
  /// Begins at its key and goes on until the next one.
  struct Stretch {
    std::uint32_t pins = 0;  ///< operations that begin or end here
    std::uint32_t reads = 0;
    std::uint32_t writes = 0;
    bool given_up = false;  ///< held, but open all the same

    [[nodiscard]] bool held() const noexcept { return reads + writes > 0; }
    [[nodiscard]] Protection protection() const noexcept;
    void count(Access access, int more) noexcept;
  };
  using Boundaries = std::pmr::map<std::uintptr_t, Stretch>;

  [[nodiscard]] bool may_hold(const Pages& pages) noexcept;
  [[nodiscard]] Boundaries::iterator pin(std::uintptr_t address);
  void unpin(Boundaries::iterator boundary) noexcept;
  [[nodiscard]] bool change(Boundaries::iterator first, Boundaries::iterator last, Access access,
                            int more) noexcept;
  void give_up(const Pages& pages) noexcept;

  Protector& protector_;
  Boundaries boundaries_;
};

}  // namespace waybill::guard
