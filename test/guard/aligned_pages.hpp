// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Memory of whole pages.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "registry/footprint.hpp"
#include "registry/record.hpp"

namespace waybill::test {

inline std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Pages from mmap(2), zeroed.
class AlignedPages {
 public:
  explicit AlignedPages(std::size_t pages)
      : bytes_(pages * page_bytes()),
        memory_(static_cast<volatile unsigned char*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  AlignedPages(const AlignedPages&) = delete;
  AlignedPages& operator=(const AlignedPages&) = delete;
  ~AlignedPages() { munmap(address(), bytes_); }

  [[nodiscard]] std::size_t size() const { return bytes_; }
  [[nodiscard]] void* address(std::size_t byte = 0) const {
    return const_cast<unsigned char*>(memory_ + byte);
  }
  volatile unsigned char& operator[](std::size_t byte) { return memory_[byte]; }

 private:
  const std::size_t bytes_;
  volatile unsigned char* const memory_;
};

/// An operation on @p bytes from @p address on, posted in line 88 of heat.cpp.
inline registry::Record record_of(registry::Access access, void* address, std::size_t bytes) {
  registry::Record record;
  record.footprint = registry::contiguous_footprint(address, bytes);
  record.site = {"src/heat.cpp", "exchange", 88};
  record.sequence = 7;
  record.bytes = bytes;
  record.peer = 1;
  record.tag = 3;
  record.access = access;
  record.kind = access == registry::Access::read ? registry::Kind::send : registry::Kind::receive;
  return record;
}

}  // namespace waybill::test
