// SPDX-License-Identifier: BSD-3-Clause
#include "guard/mapped_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace waybill::guard {

/// Pages are aligned to more than anything that is put into them.
void* MappedMemory::do_allocate(std::size_t bytes, std::size_t /*alignment*/) {
  void* const mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  return mapped;
}

void MappedMemory::do_deallocate(void* address, std::size_t bytes, std::size_t /*alignment*/) {
  static_cast<void>(munmap(address, bytes));
}

bool MappedMemory::do_is_equal(const memory_resource& other) const noexcept {
  return dynamic_cast<const MappedMemory*>(&other) != nullptr;
}

}  // namespace waybill::guard
