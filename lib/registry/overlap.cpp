// SPDX-License-Identifier: BSD-3-Clause
#include "registry/overlap.hpp"

#include <algorithm>

namespace waybill::registry {

namespace {

using Block = BlockList::Block;
using Address = std::int64_t;  // footprints lie below 2^62: differences never overflow
using Found = std::optional<std::uintptr_t>;

/// Any footprint: copies of a sorted block list, step bytes apart.
class Pattern {
 public:
  explicit Pattern(const Footprint& footprint) noexcept
      : begin_(static_cast<Address>(footprint.begin)) {
    if (footprint.shape == Shape::blocks) {
      first_ = footprint.blocks->blocks.data();
      size_ = footprint.blocks->blocks.size();
    }
    const bool rows = footprint.shape == Shape::strided;
    single_.bytes = rows ? footprint.row_bytes : footprint.end - footprint.begin;
    if (footprint.count > 1) {
      count_ = static_cast<std::int64_t>(footprint.count);
      step_ = static_cast<Address>(footprint.stride_bytes);
    }
  }

  /// Copies @p i alone.
  [[nodiscard]] Pattern copy(std::int64_t i) const noexcept {
    Pattern one(*this);
    one.begin_ += i * step_;
    one.count_ = 1;
    return one;
  }
  /// Block @p i of every copy.
  [[nodiscard]] Pattern family(std::size_t i) const noexcept {
    Pattern one(*this);
    one.begin_ = origin() + blocks()[i].offset;
    one.single_ = {0, blocks()[i].bytes};
    one.first_ = nullptr;
    one.size_ = 1;
    return one;
  }

  [[nodiscard]] Address begin() const noexcept { return begin_; }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] Address step() const noexcept { return step_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Block* blocks() const noexcept {
    return first_ == nullptr ? &single_ : first_;
  }
  /// What the offsets of the first copy's blocks are relative to.
  [[nodiscard]] Address origin() const noexcept { return begin_ - blocks()[0].offset; }
  /// From the first to behind the last byte of one copy, and of all.
  [[nodiscard]] Address span() const noexcept {
    const Block& last = blocks()[size_ - 1];
    return last.offset + static_cast<Address>(last.bytes) - blocks()[0].offset;
  }
  [[nodiscard]] Address whole_span() const noexcept { return (count_ - 1) * step_ + span(); }

 private:
  Address begin_;  // of the first block of the first copy
  std::int64_t count_ = 1;
  Address step_ = 1;
  const Block* first_ = nullptr;
  std::size_t size_ = 1;
  Block single_{0, 0};
};

/// Whole numbers first ... last, perhaps none.
struct Numbers {
  std::int64_t first;
  std::int64_t last;
  [[nodiscard]] std::int64_t size() const noexcept {
    return std::max<std::int64_t>(last - first + 1, 0);
  }
};

std::int64_t floor_divide(std::int64_t dividend, std::int64_t divisor) noexcept {
  const std::int64_t quotient = dividend / divisor;
  return quotient * divisor > dividend ? quotient - 1 : quotient;
}

/// The d for which [0, span) meets [offset + d * step, ... + other_span), within @p allowed.
Numbers meetings(Address span, Address offset, Address other_span, Address step, Numbers allowed) {
  return {std::max(allowed.first, floor_divide(-offset - other_span, step) + 1),
          std::min(allowed.last, floor_divide(span - offset - 1, step))};
}

/// The copies of @p pattern whose spans meet that of @p other.
Numbers copies_near(const Pattern& pattern, const Pattern& other) noexcept {
  return meetings(other.whole_span(), pattern.begin() - other.begin(), pattern.span(),
                  pattern.step(), {0, pattern.count() - 1});
}

/// The first block that ends behind @p offset.
const Block* first_behind(const Block* first, const Block* last, Address offset) noexcept {
  return std::partition_point(first, last, [offset](const Block& block) {
    return block.offset + static_cast<Address>(block.bytes) <= offset;
  });
}

/// A byte of both, for one copy of each at these origins.
Found meet(const Pattern& few, Address few_at, const Pattern& many, Address many_at) noexcept {
  if (few.size() > many.size()) return meet(many, many_at, few, few_at);
  const Block* const few_end = few.blocks() + few.size();
  const Block* const many_end = many.blocks() + many.size();
  const Block* mine =
      first_behind(few.blocks(), few_end, many_at + many.blocks()[0].offset - few_at);
  const Block* yours = many.blocks();
  for (; mine != few_end; ++mine) {
    const Address begin = few_at + mine->offset;
    yours = first_behind(yours, many_end, begin - many_at);
    if (yours == many_end) return std::nullopt;
    const Address theirs = many_at + yours->offset;
    if (theirs < begin + static_cast<Address>(mine->bytes)) {
      return static_cast<std::uintptr_t>(std::max(begin, theirs));
    }
  }
  return std::nullopt;
}

Found shared(const Pattern& a, const Pattern& b) noexcept;

/// Copy by copy of @p a.
Found each_copy(const Pattern& a, Numbers copies, const Pattern& b) noexcept {
  for (std::int64_t i = copies.first; i <= copies.last; ++i) {
    if (const Found found = shared(a.copy(i), b)) return found;
  }
  return std::nullopt;
}

/// Block by block of @p a, each in all its copies.
Found each_family(const Pattern& a, const Pattern& b) noexcept {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (const Found found = shared(a.family(i), b)) return found;
  }
  return std::nullopt;
}

/// With equal steps (a single copy has any step), copy i of a and copy i + d of
/// b lie the same for every i: only the d have to be looked at.
Found shared(const Pattern& a, const Pattern& b) noexcept {
  if (a.count() > 1 && b.count() > 1 && a.step() != b.step()) {
    const Numbers of_a = copies_near(a, b);
    const Numbers of_b = copies_near(b, a);
    return of_a.size() <= of_b.size() ? each_copy(a, of_a, b) : each_copy(b, of_b, a);
  }
  const Address step = a.count() > 1 ? a.step() : b.step();
  const Numbers differences =
      meetings(a.span(), b.begin() - a.begin(), b.span(), step, {1 - a.count(), b.count() - 1});
  const auto many = [&](const Pattern& p) {
    return p.size() > 1 && static_cast<std::int64_t>(p.size()) < differences.size();
  };
  if (many(a)) return each_family(a, b);
  if (many(b)) return each_family(b, a);
  for (std::int64_t d = differences.first; d <= differences.last; ++d) {
    const std::int64_t i = std::max<std::int64_t>(0, -d);
    const Found found = meet(a, a.origin() + i * step, b, b.origin() + (i + d) * step);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uintptr_t> shared_byte(const Footprint& one, const Footprint& other) noexcept {
  if (one.shape == Shape::unwatched || other.shape == Shape::unwatched) return std::nullopt;
  const std::uintptr_t begin = std::max(one.begin, other.begin);
  if (begin >= std::min(one.end, other.end)) return std::nullopt;
  if (one.shape == Shape::contiguous && other.shape == Shape::contiguous) return begin;
  return shared(Pattern(one), Pattern(other));
}

}  // namespace waybill::registry
