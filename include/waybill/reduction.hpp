// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// How a collective combines the contributions of ranks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "waybill/config.hpp"
#include "waybill/element.hpp"

namespace waybill {

/// MPI's operators (MPI 3.1 section 5.9.2). min and max: integers and floating point
/// numbers; sum and product: also complex ones; logical_*: integers and bool; bit_*: integers
/// and std::byte. char counts as an integer. Anything else is refused as
/// Errc::invalid_reduction.
///
/// float16 and bfloat16: min, max, sum and product; each step is computed as float and
/// rounded to nearest. So a sum of p contributions of one sign is off by at most
/// (p - 1) / 2^11 (float16) or (p - 1) / 2^8 (bfloat16) of itself; a contribution that is not a
/// number makes the result one.
enum class Reduce : std::uint8_t {
  sum,
  product,
  min,
  max,
  logical_and,
  logical_or,
  logical_xor,
  bit_and,
  bit_or,
  bit_xor,
};

/// Whether an operator may be given its operands in any order. It is always taken as
/// associative (MPI 3.1 section 5.9.5).
enum class Operands : std::uint8_t { in_any_order, in_rank_order };

/// An operator of the program's own, without its type. Ranks combine with their own
/// one: all must be the same.
class WAYBILL_API Combiner {
 public:
  Combiner(std::size_t element_bytes, Element element, Operands operands) noexcept
      : element_bytes_(element_bytes), element_(element), operands_(operands) {}
  Combiner(const Combiner&) = delete;
  Combiner& operator=(const Combiner&) = delete;
  virtual ~Combiner();

  /// later[i] = earlier[i] (operator) later[i], where earlier comes from lower ranks.
  virtual void combine(const void* earlier, void* later, std::size_t elements) const = 0;

  [[nodiscard]] std::size_t element_bytes() const noexcept { return element_bytes_; }
  [[nodiscard]] Element element() const noexcept { return element_; }
  [[nodiscard]] Operands operands() const noexcept { return operands_; }

 private:
  const std::size_t element_bytes_;
  const Element element_;
  const Operands operands_;
};

namespace detail {

template <class T, class F>
class FunctionCombiner final : public Combiner {
 public:
  FunctionCombiner(F function, Operands operands)
      : Combiner(sizeof(T), element_of<T>(), operands), function_(std::move(function)) {}

  void combine(const void* earlier, void* later, std::size_t elements) const override {
    const T* const from = static_cast<const T*>(earlier);
    T* const into = static_cast<T*>(later);
    for (std::size_t i = 0; i < elements; ++i) into[i] = function_(from[i], into[i]);
  }

 private:
  F function_;
};

}  // namespace detail

/// An operator: one of Reduce, or the program's own. Copies share it.
class Reduction {
 public:
  constexpr Reduction(Reduce built_in) noexcept  // NOLINT(google-explicit-constructor)
      : built_in_(built_in) {}
  explicit Reduction(std::shared_ptr<const Combiner> own) noexcept : own_(std::move(own)) {}

  /// Null for one of Reduce.
  [[nodiscard]] const std::shared_ptr<const Combiner>& own() const noexcept { return own_; }
  [[nodiscard]] Reduce built_in() const noexcept { return built_in_; }

 private:
  Reduce built_in_ = Reduce::sum;
  std::shared_ptr<const Combiner> own_;
};

/// An operator from a function `T (const T& earlier, const T& later)`, for buffers of
/// elements T. The function is kept until every operation with it is complete. It is called by
/// whichever thread makes progress, for operations that overlap by several at once;
/// it must not call Waybill or MPI. What it throws fails the Work of this rank with
/// Errc::reduction_failed; the other ranks get some result.
template <Sendable T, class F>
[[nodiscard]] Reduction reduction(F function, Operands operands = Operands::in_any_order) {
  static_assert(std::is_invocable_r_v<T, const F&, const T&, const T&>,
                "an operator is called as: T result = function(const T& earlier, const T& later)");
  return Reduction(
      std::make_shared<const detail::FunctionCombiner<T, F>>(std::move(function), operands));
}

}  // namespace waybill
