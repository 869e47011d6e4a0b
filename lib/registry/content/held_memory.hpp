// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which memory may have operations in flight, for who asks very often and mostly in vain.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "registry/levels.hpp"

namespace waybill::registry {

/// Counts operations by the granules of levels.hpp, like the byte index, but without the
/// records: to ask takes no lock and some loads. It may say yes in vain, since granules share
/// counters; the byte index then knows. 140 KiB, which must outlive all that ask.
///
/// Each granule has 32 cells. Of its own level an operation takes the cells that it fills; of
/// the next lower level those that it fills of what is left at either end, and so on: so its
/// neighbours in memory are told apart to 8 bytes, and one of up to 256 B costs a word or two,
/// one of up to 1 MiB eight at most. What is larger than 4 GiB is not told from anything.
///
/// Any number of threads at once. All accesses are relaxed: a program that frees the memory
/// of an operation has got the address from whoever posted it, and with it what was counted
/// before. Where it has not, post and free race, and either answer is right.
class HeldMemory {
 public:
  constexpr HeldMemory() noexcept = default;
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  /// A footprint with bytes, from here to let_go().
  void hold(const Footprint& footprint) noexcept;
  void let_go(const Footprint& footprint) noexcept;

  /// Operations that hold memory; zero: may_hold() says no.
  [[nodiscard]] constexpr const std::atomic<std::uint32_t>& count() const noexcept {
    return count_;
  }

  /// False if no operation holds one of the bytes [begin, end), of which there are some.
  [[nodiscard]] bool may_hold(std::uintptr_t begin, std::uintptr_t end) const noexcept {
    return any_level_may_hold(begin, end - 1, std::make_index_sequence<levels.size()>());
  }

 private:
  /// The upper half has a bit for each cell that operations took since the lower half, their
  /// number, was zero.
  using Word = std::uint64_t;
  static constexpr unsigned cells_shift = 32;
  static constexpr Word one_operation = 1;
  static constexpr std::size_t run_buckets = 64;

  static constexpr unsigned cell_bits(const Level& level) noexcept {
    return level.granule_bits - 5;
  }
  /// From one cell of a granule to another.
  static Word cells_between(std::uintptr_t first, std::uintptr_t last) noexcept {
    return ((Word{2} << (last - first)) - 1) << (cells_shift + first);
  }
  [[nodiscard]] bool granule_may_hold(const Level& level, std::uintptr_t granule,
                                      Word cells) const noexcept {
    return (words_[bucket_of(granule, level)].load(std::memory_order_relaxed) & cells) != 0;
  }

  // Here and below the last byte belongs to the memory. All levels are told apart when this is
  // compiled, since free() waits for it.
  template <std::size_t... number>
  [[nodiscard]] bool any_level_may_hold(std::uintptr_t begin, std::uintptr_t last,
                                        std::index_sequence<number...> /*all*/) const noexcept {
    const std::uint32_t used = used_levels_.load(std::memory_order_relaxed);
    return (((used & (1U << number)) != 0 && level_may_hold<number>(begin, last)) || ...);
  }
  template <std::size_t number>
  [[nodiscard, gnu::always_inline]] bool level_may_hold(std::uintptr_t begin,
                                                        std::uintptr_t last) const noexcept {
    constexpr Level level = levels[number];
    const std::uintptr_t first_cell = begin >> cell_bits(level);
    const std::uintptr_t last_cell = last >> cell_bits(level);
    const std::uintptr_t granule = first_cell / 32;
    if (last_cell / 32 == granule) [[likely]] {
      return granule_may_hold(level, granule, cells_between(first_cell % 32, last_cell % 32));
    }
    return granule_may_hold(level, granule, cells_between(first_cell % 32, 31)) ||
           granule_may_hold(level, last_cell / 32, cells_between(0, last_cell % 32)) ||
           (last_cell / 32 - granule > 1 && run_may_hold(level, granule + 1, last_cell / 32 - 1));
  }
  /// Of whole granules.
  [[nodiscard]] bool run_may_hold(const Level& level, std::uintptr_t granule,
                                  std::uintptr_t last) const noexcept;
  template <class Change>
  static void for_each_word(const Footprint& footprint, Change change) noexcept;

  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> used_levels_{0};  // a bit per level that ever had an operation
  /// Operations in 64 neighbouring buckets, so that large memory is passed over quickly.
  std::array<std::atomic<std::uint32_t>, all_buckets / run_buckets> runs_{};
  std::array<std::atomic<Word>, all_buckets> words_{};
};

}  // namespace waybill::registry
