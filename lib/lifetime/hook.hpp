// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What libwaybill-lifetime.so and libwaybill know of each other. Either may be there without
/// the other: the former exports one function, which the latter looks up by its name.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace waybill::lifetime {

/// The call by which memory goes.
enum class Call : std::uint8_t { free, realloc, munmap, mremap };

/// Whom to ask before memory goes. Unchanged while it is installed, and must stay where it is
/// afterwards, since other threads may be about to use it. All functions may be called by any
/// thread, at any time.
struct Hook {
  /// While it is zero, nothing need be asked.
  const std::atomic<std::uint32_t>* watched = nullptr;
  /// False if nobody minds the loss of [begin, end), which has bytes. Quick.
  bool (*may_matter)(std::uintptr_t begin, std::uintptr_t end) noexcept = nullptr;
  /// Who minds the loss of it: null for nobody, else something for exactly one call of tell().
  void* (*find)(std::uintptr_t begin, std::uintptr_t end) noexcept = nullptr;
  /// [begin, end) is lost, or will be right after this; if empty, nothing was lost after all.
  void (*tell)(void* found, Call call, std::uintptr_t begin, std::uintptr_t end) noexcept = nullptr;
};

/// What a preloaded library sees.
enum Sees : unsigned { nothing = 0, blocks = 1, mappings = 2 };

/// Installs a hook, or none (null). Returns what is seen, of Sees. The number in the name changes
/// whenever something here does.
using Install = unsigned (*)(const Hook* hook);
inline constexpr const char* install_name = "waybill_lifetime_install_1";

}  // namespace waybill::lifetime
