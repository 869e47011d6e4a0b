// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The checksum of a block: XXH3, by the widest instructions of the processor where the
/// library can choose them at run time.

#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#include <cstddef>
#include <cstdint>

namespace waybill::registry {

inline std::uint64_t block_sum(const void* bytes, std::size_t size) noexcept {
  return XXH3_64bits(bytes, size);
}

}  // namespace waybill::registry
