// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/collective_buffers.hpp"

#include <algorithm>
#include <climits>
#include <numeric>
#include <utility>

#include "transport/mpi/check.hpp"

namespace waybill::transport::mpi {

namespace {

bool fit(const std::vector<std::size_t>& numbers, std::size_t scale, std::size_t unit) {
  for (const std::size_t number : numbers) {
    if (number * scale / unit > INT_MAX) return false;
  }
  return true;
}

void append(std::vector<int>& to, const std::vector<std::size_t>& numbers, std::size_t scale,
            std::size_t unit) {
  for (const std::size_t number : numbers) to.push_back(static_cast<int>(number * scale / unit));
}

/// Where blocks begin that lie one behind the other.
std::vector<std::size_t> packed(const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> displacements(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), std::size_t{0});
  return displacements;
}

std::vector<std::size_t> begins(const Blocks& blocks) {
  return blocks.displacements().empty() ? packed(blocks.counts()) : blocks.displacements();
}

/// What one element of a type covers in memory.
struct Span {
  MPI_Aint lower = 0;   // of the first byte that is touched
  MPI_Aint bytes = 0;   // from there to the last one
  MPI_Aint extent = 0;  // from one element to the next
};

Span span_of(MPI_Datatype type) {
  Span span;
  MPI_Aint lower = 0;
  require(MPI_Type_get_extent(type, &lower, &span.extent), "MPI_Type_get_extent");
  require(MPI_Type_get_true_extent(type, &span.lower, &span.bytes), "MPI_Type_get_true_extent");
  return span;
}

const void* moved(const void* address, std::size_t elements, MPI_Aint extent) noexcept {
  return static_cast<const std::byte*>(address) + static_cast<MPI_Aint>(elements) * extent;
}

/// Just the bytes that the type touches: the gaps may belong to others.
void copy_elements(const void* from, void* to, std::size_t count, MPI_Datatype type) {
  if (count == 0) return;
  const int elements = static_cast<int>(count);
  int size = 0;
  require(MPI_Pack_size(elements, type, MPI_COMM_SELF, &size), "MPI_Pack_size");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  int at = 0;
  require(MPI_Pack(from, elements, type, bytes.data(), size, &at, MPI_COMM_SELF), "MPI_Pack");
  const int packed_bytes = at;
  at = 0;
  require(MPI_Unpack(bytes.data(), packed_bytes, &at, to, elements, type, MPI_COMM_SELF),
          "MPI_Unpack");
}

/// The largest number of elements that all blocks are whole multiples of.
std::size_t common_unit(const std::vector<std::size_t>& counts,
                        const std::vector<std::size_t>& displacements, std::size_t scale) {
  std::size_t unit = 0;
  for (const std::size_t count : counts) unit = std::gcd(unit, count * scale);
  for (const std::size_t displacement : displacements) unit = std::gcd(unit, displacement * scale);
  return unit == 0 ? 1 : unit;
}

[[noreturn]] void throw_out_of_reach() {
  ErrorDetail detail;
  detail.what =
      "MPI 3.1 counts with int: blocks beyond 2^31 elements need counts and displacements with a "
      "larger common factor";
  detail.routine = "MPI_Type_contiguous";
  detail.mpi_text = detail.what;
  throw Error(Errc::invalid_blocks, std::move(detail));
}

}  // namespace

TypedCount CollectiveBuffers::kept(TypedCount typed) {
  if (typed.temporary) {
    request_.types.push_back(typed.type);
    typed.temporary = false;
  }
  return typed;
}

TypedCount CollectiveBuffers::whole(const BufferShape& shape) {
  if (shape.in_place || shape.elements() == 0) return {};
  return kept(typed_count(shape, strided_));
}

TypedCount CollectiveBuffers::part(const BufferShape& shape, int ranks) {
  if (shape.in_place || shape.elements() == 0) return {};
  const auto parts = static_cast<std::size_t>(ranks);
  BufferShape share = shape;
  if (shape.rows == 1) {
    share.columns = shape.columns / parts;
    return whole(share);
  }
  share.rows = shape.rows / parts;
  const TypedCount rows = kept(strided_.find_or_make(share));
  MPI_Datatype spaced = MPI_DATATYPE_NULL;
  require(MPI_Type_create_resized(rows.type, 0,
                                  static_cast<MPI_Aint>(share.rows * share.stride_bytes), &spaced),
          "MPI_Type_create_resized");
  request_.types.push_back(spaced);
  require(MPI_Type_commit(&request_.types.back()), "MPI_Type_commit");
  return {spaced, 1, false};
}

MPI_Datatype CollectiveBuffers::element(const BufferShape& shape, std::size_t& scale) {
  BufferShape one = shape;
  one.columns = 1;
  scale = 1;
  if (shape.element == Element::opaque) {
    scale = shape.element_bytes;
    one.element_bytes = 1;
  }
  return whole(one).type;
}

DividedBuffer CollectiveBuffers::copied(const BufferShape& shape, const Blocks& blocks,
                                        std::vector<int>& numbers) {
  std::size_t scale = 1;
  const MPI_Datatype type = element(shape, scale);
  const Span span = span_of(type);
  const std::vector<std::size_t> begin = begins(blocks);
  std::size_t elements = 0;
  for (std::size_t rank = 0; rank < begin.size(); ++rank) {
    elements = std::max(elements, (begin[rank] + blocks.counts()[rank]) * scale);
  }
  if (elements == 0) return divided(shape, blocks, numbers);
  request_.copy.resize(
      static_cast<std::size_t>(static_cast<MPI_Aint>(elements - 1) * span.extent + span.bytes));
  BufferShape copy = shape;
  copy.address = request_.copy.data() - span.lower;
  for (std::size_t rank = 0; rank < begin.size(); ++rank) {
    const std::size_t first = begin[rank] * scale;
    copy_elements(moved(shape.address, first, span.extent),
                  const_cast<void*>(moved(copy.address, first, span.extent)),
                  blocks.counts()[rank] * scale, type);
  }
  return divided(copy, blocks, numbers);
}

DividedBuffer CollectiveBuffers::divided(const BufferShape& shape, const Blocks& blocks,
                                         std::vector<int>& numbers) {
  const std::vector<std::size_t>& counts = blocks.counts();
  std::vector<std::size_t> displacements = begins(blocks);
  std::size_t scale = 1;
  MPI_Datatype type = element(shape, scale);
  const void* address = shape.address;
  if (counts.size() == 1) {
    // MPICH 4.0 does not look at the displacement of a rank that is alone.
    address = moved(address, std::exchange(displacements[0], 0) * scale, span_of(type).extent);
  }
  std::size_t unit = 1;
  if (!fit(counts, scale, 1) || !fit(displacements, scale, 1)) {
    unit = common_unit(counts, displacements, scale);
    if (!fit(counts, scale, unit) || !fit(displacements, scale, unit)) throw_out_of_reach();
    request_.types.push_back(make_contiguous(type, unit));
    require(MPI_Type_commit(&request_.types.back()), "MPI_Type_commit");
    type = request_.types.back();
  }
  append(numbers, counts, scale, unit);
  append(numbers, displacements, scale, unit);
  return {address, type, numbers.data(), numbers.data() + counts.size()};
}

}  // namespace waybill::transport::mpi
