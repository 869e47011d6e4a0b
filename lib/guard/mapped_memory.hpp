// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Memory that does not come from the heap.

#include <cstddef>
#include <memory_resource>

namespace waybill::guard {

/// Whole pages from mmap(2), so that no book about protected pages lies on a page
/// that the program may have freed while an operation is in flight, and no lock of
/// the heap is taken. Throws std::bad_alloc. Any number of threads.
class MappedMemory final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* address, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override;
};

}  // namespace waybill::guard
