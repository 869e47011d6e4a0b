// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/reducing.hpp"

#include <algorithm>
#include <climits>
#include <numeric>
#include <type_traits>

#include "transport/mpi/check.hpp"
#include "transport/mpi/datatypes.hpp"
#include "transport/mpi/mpi_channels.hpp"
#include "transport/operators.hpp"

namespace waybill::transport::mpi {

namespace {

using registry::Call;

constexpr std::size_t most_elements = std::size_t{1} << 30U;  // of one call

MPI_Op builtin_operation(Reduce reduce) noexcept {
  switch (reduce) {
    case Reduce::sum: return MPI_SUM;
    case Reduce::product: return MPI_PROD;
    case Reduce::min: return MPI_MIN;
    case Reduce::max: return MPI_MAX;
    case Reduce::logical_and: return MPI_LAND;
    case Reduce::logical_or: return MPI_LOR;
    case Reduce::logical_xor: return MPI_LXOR;
    case Reduce::bit_and: return MPI_BAND;
    case Reduce::bit_or: return MPI_BOR;
    case Reduce::bit_xor: return MPI_BXOR;
  }
  return MPI_OP_NULL;
}

/// MPI reduces MPI_CHAR not at all, since it stands for a letter.
MPI_Datatype arithmetic_type(const BufferShape& shape) noexcept {
  if (shape.element == Element::native) return unpack_type(shape.native_type);
  if (shape.element == Element::char_) {
    return std::is_signed_v<char> ? MPI_SIGNED_CHAR : MPI_UNSIGNED_CHAR;
  }
  return builtin_type(shape.element);
}

std::size_t extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  require(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  return static_cast<std::size_t>(extent);
}

}  // namespace

Reducing::Reducing(const Collective& call, const OwnOperators& operators,
                   CollectiveRequest& request)
    : call_(call), request_(request), channel_(unpack_channel(call.channel)) {
  const BufferShape& shape = call.contribution.in_place ? call.result : call.contribution;
  std::shared_ptr<const Combiner> own = call.reduction->own();
  if (own == nullptr) own = own_version(call.reduction->built_in(), shape.element);
  if (own != nullptr) {
    operation_ = operators.operation(own->operands());
    type_ = operators.element(request, std::move(own));
  } else {
    operation_ = builtin_operation(call.reduction->built_in());
    type_ = arithmetic_type(shape);
  }
  element_bytes_ = shape.element == Element::native ? extent_of(type_) : shape.element_bytes;
}

const void* Reducing::behind(const void* begin, std::size_t elements) const noexcept {
  if (begin == MPI_IN_PLACE || elements == 0) return begin;
  return static_cast<const std::byte*>(begin) + elements * element_bytes_;
}

MPI_Request* Reducing::next_request() {
  if (used_) return &request_.more.emplace_back(MPI_REQUEST_NULL);
  used_ = true;
  return &request_.request;
}

template <class Start>
void Reducing::for_each_piece(Elements elements, const Start& start) {
  std::size_t done = 0;
  do {
    const std::size_t piece = std::min(elements.count - done, most_elements);
    start(behind(elements.from, done), const_cast<void*>(behind(elements.into, done)),
          static_cast<int>(piece));
    done += piece;
  } while (done < elements.count);
}

void Reducing::reduce(const Elements& elements, int root) {
  for_each_piece(elements, [&](const void* from, void* into, int count) {
    require(MPI_Ireduce(from, into, count, type_, operation_, root, channel_, next_request()),
            "MPI_Ireduce");
  });
}

void Reducing::start() {
  const BufferShape& contribution = call_.contribution;
  const BufferShape& result = call_.result;
  Elements all{contribution.in_place ? MPI_IN_PLACE : contribution.address,
               const_cast<void*>(result.address),
               contribution.in_place ? result.elements() : contribution.elements()};
  switch (call_.call) {
    case Call::reduce: reduce(all, call_.root); break;
    case Call::allreduce:
      for_each_piece(all, [&](const void* from, void* into, int count) {
        require(MPI_Iallreduce(from, into, count, type_, operation_, channel_, next_request()),
                "MPI_Iallreduce");
      });
      break;
    case Call::scan:
      for_each_piece(all, [&](const void* from, void* into, int count) {
        require(MPI_Iscan(from, into, count, type_, operation_, channel_, next_request()),
                "MPI_Iscan");
      });
      break;
    case Call::exscan:
      for_each_piece(all, [&](const void* from, void* into, int count) {
        require(MPI_Iexscan(from, into, count, type_, operation_, channel_, next_request()),
                "MPI_Iexscan");
      });
      break;
    case Call::reduce_scatter_block: reduce_scatter_block(); break;
    default: reduce_scatter(); break;
  }
}

void Reducing::reduce_scatter_block() {
  const BufferShape& whole = call_.contribution.in_place ? call_.result : call_.contribution;
  const std::size_t count = whole.elements() / static_cast<std::size_t>(call_.ranks);
  if (whole.elements() > most_elements) return reduce_to_each(nullptr, count);
  const void* const from = call_.contribution.in_place ? MPI_IN_PLACE : call_.contribution.address;
  require(MPI_Ireduce_scatter_block(from, const_cast<void*>(call_.result.address),
                                    static_cast<int>(count), type_, operation_, channel_,
                                    next_request()),
          "MPI_Ireduce_scatter_block");
}

void Reducing::reduce_scatter() {
  const std::vector<std::size_t>& counts = call_.result_blocks->counts();
  const std::size_t sum = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (sum > most_elements) return reduce_to_each(counts.data(), 0);
  for (const std::size_t count : counts) {
    request_.result_blocks.push_back(static_cast<int>(count));
  }
  const void* const from = call_.contribution.in_place ? MPI_IN_PLACE : call_.contribution.address;
  require(MPI_Ireduce_scatter(from, const_cast<void*>(call_.result.address),
                              request_.result_blocks.data(), type_, operation_, channel_,
                              next_request()),
          "MPI_Ireduce_scatter");
}

void Reducing::reduce_to_each(const std::size_t* counts, std::size_t equal_count) {
  if (call_.contribution.in_place) {
    ErrorDetail detail;
    detail.what = "in place, at most 2^30 elements can be reduced and scattered";
    detail.routine = registry::name(call_.call);
    detail.mpi_text = detail.what;
    throw Error(Errc::invalid_buffer, std::move(detail));
  }
  std::size_t begin = 0;
  for (int root = 0; root < call_.ranks; ++root) {
    const std::size_t count = counts == nullptr ? equal_count : counts[root];
    reduce({behind(call_.contribution.address, begin),
            root == call_.rank ? const_cast<void*>(call_.result.address) : nullptr, count},
           root);
    begin += count;
  }
}

}  // namespace waybill::transport::mpi
