// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a collective call, against MPI 3.1 chapter 5.
#include <fmt/format.h>

#include "communicator/collective_post.hpp"
#include "communicator/division.hpp"
#include "communicator/post.hpp"
#include "operation/lifecycle.hpp"
#include "transport/operators.hpp"

namespace waybill::communicator {

namespace {

using registry::Call;
using transport::Collective;

/// Whether only the root's contribution counts.
bool comes_from_root(Call call) noexcept {
  return call == Call::broadcast || call == Call::scatter || call == Call::scatterv;
}

/// Whether only the root's result counts.
bool goes_to_root(Call call) noexcept {
  return call == Call::reduce || call == Call::gather || call == Call::gatherv;
}

class Checking {
 public:
  explicit Checking(const CollectivePost& post) : post_(post), state_(*post.state) {
    call_.call = post.call;
    call_.channel = state_.channels[0];
    call_.rank = state_.rank;
    call_.ranks = state_.size;
    call_.root = post.root;
    call_.contribution_blocks = post.contribution_blocks;
    call_.result_blocks = post.result_blocks;
    call_.reduction = post.reduction;
  }

  Collective check() {
    if (registry::has_root(post_.call)) check_root();
    take_buffers();
    if (registry::reduces(post_.call)) check_reduction();
    check_sizes();
    return call_;
  }

 private:
  [[noreturn]] void refuse(Errc code, const std::string& reason) const {
    communicator::refuse(post_, code, reason);
  }
  void require_empty(const std::string& reason) const {
    if (!reason.empty()) refuse(Errc::invalid_blocks, reason);
  }
  [[nodiscard]] bool is_root() const noexcept { return call_.rank == call_.root; }
  [[nodiscard]] std::size_t ranks() const noexcept { return static_cast<std::size_t>(call_.ranks); }
  [[nodiscard]] std::size_t rank() const noexcept { return static_cast<std::size_t>(call_.rank); }

  void check_root() const {
    if (post_.root >= 0 && post_.root < state_.size) return;
    refuse(Errc::invalid_rank,
           fmt::format("root {} is outside communicator '{}', which has {} rank{}: use 0 .. {}",
                       post_.root, state_.name, state_.size, state_.size == 1 ? "" : "s",
                       state_.size - 1));
  }

  [[nodiscard]] bool contribution_counts() const noexcept {
    return post_.contribution != nullptr && (is_root() || !comes_from_root(post_.call));
  }
  [[nodiscard]] bool result_counts() const noexcept {
    if (post_.result == nullptr) return false;
    if (post_.call == Call::broadcast) return !is_root();
    return is_root() || !goes_to_root(post_.call);
  }

  void take_buffers() {
    if (contribution_counts()) call_.contribution = *post_.contribution;
    if (result_counts()) call_.result = *post_.result;
    if (post_.call == Call::broadcast && post_.result->in_place) {
      refuse(Errc::invalid_buffer, "a broadcast has one buffer, which is always in place");
    }
    if (call_.contribution.in_place) take_in_place();
    if (call_.result.in_place && post_.call != Call::scatter && post_.call != Call::scatterv) {
      refuse(Errc::invalid_buffer, "in_place stands for the contribution of this call");
    }
    if (call_.result.in_place && !is_root()) {
      refuse(Errc::invalid_buffer, "only the root's part can stay in place");
    }
    check_memory(call_.contribution, false);
    check_memory(call_.result, true);
  }

  void take_in_place() {
    if (comes_from_root(post_.call)) {
      refuse(Errc::invalid_buffer, "in_place stands for the result of this call");
    }
    if (!goes_to_root(post_.call) || is_root()) return;
    if (post_.call != Call::reduce) {
      refuse(Errc::invalid_buffer, "only the root's contribution can be in place");
    }
    call_.contribution = *post_.result;
    if (call_.contribution.in_place) refuse(Errc::invalid_buffer, "both buffers are in_place");
  }

  void check_memory(const BufferShape& buffer, bool written) const {
    if (buffer.in_place || is_usable(buffer, written)) return;
    if (buffer.address == nullptr) {
      refuse(Errc::invalid_buffer,
             fmt::format("the {} is a null pointer, but has {} elements",
                         written ? "result" : "contribution", buffer.elements()));
    }
    refuse(Errc::invalid_buffer, "rows overlap each other, or the buffer is larger than memory");
  }

  void check_reduction() const {
    for (const BufferShape* buffer : {&call_.contribution, &call_.result}) {
      if (buffer->in_place || buffer->elements() == 0) continue;
      if (buffer->rows > 1) refuse(Errc::invalid_buffer, "a reduction needs contiguous buffers");
      check_operator(*buffer);
    }
    if (call_.contribution.in_place || call_.result.elements() == 0 ||
        call_.contribution.elements() == 0) {
      return;
    }
    if (call_.contribution.element != call_.result.element ||
        call_.contribution.element_bytes != call_.result.element_bytes) {
      refuse(Errc::invalid_buffer, "contribution and result have different elements");
    }
  }

  void check_operator(const BufferShape& buffer) const {
    const Combiner* const own = post_.reduction->own().get();
    if (own == nullptr) {
      if (transport::is_defined(post_.reduction->built_in(), buffer.element)) return;
      refuse(Errc::invalid_reduction,
             fmt::format("{} is not defined for these elements; give an operator of your own, see "
                         "reduction()",
                         transport::name(post_.reduction->built_in())));
    }
    if (own->element() != buffer.element || own->element_bytes() != buffer.element_bytes) {
      refuse(Errc::invalid_reduction, "the operator was made for other elements");
    }
  }

  /// Where both count.
  void same_bytes(std::size_t contributed, std::size_t taken, const char* what) const {
    if (contributed == taken) return;
    refuse(Errc::invalid_blocks, fmt::format("this rank contributes {} B to itself, but {} {} B",
                                             contributed, what, taken));
  }

  void check_sizes() const {
    const BufferShape& from = call_.contribution;
    const BufferShape& into = call_.result;
    const bool both = !from.in_place && !into.in_place && contribution_counts() && result_counts();
    switch (post_.call) {
      case Call::gather:
      case Call::allgather:
        if (!result_counts()) return;
        require_empty(why_not_divisible(into, call_.ranks));
        if (both) same_bytes(from.bytes(), into.bytes() / ranks(), "its part of the result has");
        return;
      case Call::scatter:
        if (!contribution_counts()) return;
        require_empty(why_not_divisible(from, call_.ranks));
        if (both) same_bytes(from.bytes() / ranks(), into.bytes(), "its result has");
        return;
      case Call::alltoall:
        require_empty(why_not_divisible(into, call_.ranks));
        if (!from.in_place) require_empty(why_not_divisible(from, call_.ranks));
        if (both) {
          same_bytes(from.bytes() / ranks(), into.bytes() / ranks(), "its part of the result has");
        }
        return;
      case Call::gatherv:
      case Call::scatterv:
      case Call::allgatherv:
      case Call::alltoallv: check_blocks(both); return;
      case Call::reduce_scatter:
      case Call::reduce_scatter_block: check_scattered(); return;
      default:
        if (both && from.elements() != into.elements()) {
          refuse(Errc::invalid_buffer,
                 fmt::format("the contribution has {} elements, the result {}", from.elements(),
                             into.elements()));
        }
    }
  }

  [[nodiscard]] std::size_t bytes_at(const Blocks& blocks, const BufferShape& buffer) const {
    return blocks.counts()[rank()] * buffer.element_bytes;
  }

  void check_blocks(bool both) const {
    const BufferShape& from = call_.contribution;
    const BufferShape& into = call_.result;
    const Blocks* const sent = call_.contribution_blocks;
    const Blocks* const got = call_.result_blocks;
    if (sent != nullptr && contribution_counts() && !from.in_place) {
      require_empty(why_not_divisible(from, *sent, call_.ranks, false));
    }
    if (got != nullptr && result_counts()) {
      require_empty(why_not_divisible(into, *got, call_.ranks, true));
    }
    if (!both) return;
    same_bytes(sent != nullptr ? bytes_at(*sent, from) : from.bytes(),
               got != nullptr ? bytes_at(*got, into) : into.bytes(), "takes");
  }

  void check_scattered() const {
    const BufferShape& from = call_.contribution.in_place ? call_.result : call_.contribution;
    if (post_.call == Call::reduce_scatter_block) {
      require_empty(why_not_divisible(from, call_.ranks));
    } else {
      if (!call_.result_blocks->displacements().empty()) {
        refuse(Errc::invalid_blocks, "the blocks of this call lie one behind the other");
      }
      require_empty(why_not_divisible(from, *call_.result_blocks, call_.ranks, false));
      const std::size_t sum = sum_of_counts(*call_.result_blocks);
      if (sum != from.elements()) {
        refuse(Errc::invalid_blocks, fmt::format("the blocks have {} elements, the contribution {}",
                                                 sum, from.elements()));
      }
    }
    if (call_.contribution.in_place) return;
    const std::size_t mine = post_.call == Call::reduce_scatter
                                 ? call_.result_blocks->counts()[rank()]
                                 : from.elements() / ranks();
    if (mine != call_.result.elements()) {
      refuse(Errc::invalid_blocks, fmt::format("this rank's block has {} elements, its result {}",
                                               mine, call_.result.elements()));
    }
  }

  const CollectivePost& post_;
  const CommunicatorState& state_;
  Collective call_;
};

}  // namespace

Collective check(const CollectivePost& post) {
  if (const std::error_code code = validate_state(post.state)) {
    const auto why = static_cast<Errc>(code.value());
    if (why == Errc::not_running || why == Errc::forked_child) {
      throw operation::not_running_error(registry::name(post.call), post.where);
    }
    refuse(post, why,
           why == Errc::empty_handle ? "the communicator is empty or was freed"
                                     : "MPI was initialised for calls from the main thread only; "
                                       "start it with MPI_THREAD_MULTIPLE");
  }
  return Checking(post).check();
}

void refuse(const CollectivePost& post, Errc code, const std::string& reason) {
  std::string_view file = post.where.file_name();
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  ErrorDetail detail;
  detail.routine = registry::name(post.call);
  detail.where = post.where;
  detail.what = fmt::format("{} ({}:{} in {}): {}", detail.routine, file, post.where.line(),
                            post.where.function_name(), reason);
  throw Error(code, std::move(detail));
}

}  // namespace waybill::communicator
