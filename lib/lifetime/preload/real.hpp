// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The functions that stand behind those of this library.

#include <cstddef>

namespace waybill::lifetime::real {

// Where they are not known, since they are being looked for by this thread just now, free()
// does nothing, which loses some bytes once.

void free(void* block) noexcept;
[[nodiscard]] void* realloc(void* block, std::size_t bytes) noexcept;
int munmap(void* begin, std::size_t bytes) noexcept;
[[nodiscard]] void* mremap(void* begin, std::size_t bytes, std::size_t new_bytes, int flags,
                           void* target) noexcept;

/// malloc_usable_size() belongs to the same allocator as free().
[[nodiscard]] bool knows_sizes() noexcept;

}  // namespace waybill::lifetime::real
