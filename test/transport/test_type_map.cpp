// SPDX-License-Identifier: BSD-3-Clause
// The bytes of derived types, against what MPI_Pack really reads.
#include "transport/mpi/type_map.hpp"

#include <random>
#include <vector>

#include "support/catch.hpp"

using waybill::registry::BlockList;
using waybill::transport::mpi::block_list;

namespace {

constexpr int area = 4096;

/// Which bytes of the area an element at its middle touches, by unpacking.
std::vector<bool> touched_by_mpi(MPI_Datatype type) {
  std::vector<bool> touched(area, false);
  int size = 0;
  MPI_Pack_size(1, type, MPI_COMM_SELF, &size);
  // two fillings, so that a byte that happens to be equal is seen in one
  for (const unsigned char fill : {0x00, 0xFF}) {
    std::vector<unsigned char> memory(area, fill);
    std::vector<unsigned char> packed(static_cast<std::size_t>(size), fill ^ 0xFF);
    int position = 0;
    MPI_Unpack(packed.data(), size, &position, memory.data() + area / 2, 1, type, MPI_COMM_SELF);
    for (int i = 0; i < area; ++i) {
      if (memory[static_cast<std::size_t>(i)] != fill) touched[static_cast<std::size_t>(i)] = true;
    }
  }
  return touched;
}

std::vector<bool> touched_by_list(const BlockList& list) {
  std::vector<bool> touched(area, false);
  for (const auto& block : list.blocks) {
    for (std::size_t i = 0; i < block.bytes; ++i) {
      touched.at(static_cast<std::size_t>(area / 2 + block.offset) + i) = true;
    }
  }
  return touched;
}

void compare(MPI_Datatype type) {
  MPI_Type_commit(&type);
  const auto list = block_list(type);
  REQUIRE(list != nullptr);
  REQUIRE(touched_by_list(*list) == touched_by_mpi(type));
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  REQUIRE(list->extent_bytes == extent);
  REQUIRE(block_list(type) == list);  // remembered
  MPI_Type_free(&type);
}

MPI_Datatype make(int kind, MPI_Datatype inner) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int lengths[3] = {2, 1, 3};
  int places[3] = {7, 0, 3};
  MPI_Aint bytes[3] = {48, 0, 130};
  MPI_Datatype mixed[3] = {MPI_INT, MPI_CHAR, MPI_DOUBLE};
  int sizes[3] = {3, 4, 2};
  int subsizes[3] = {2, 2, 1};
  int starts[3] = {1, 1, 1};
  switch (kind) {
    case 0: MPI_Type_contiguous(3, inner, &type); break;
    case 1: MPI_Type_vector(3, 2, 3, inner, &type); break;
    case 2: MPI_Type_create_hvector(3, 1, 70, inner, &type); break;
    case 3: MPI_Type_indexed(3, lengths, places, inner, &type); break;
    case 4: MPI_Type_create_hindexed(3, lengths, bytes, inner, &type); break;
    case 5: MPI_Type_create_indexed_block(3, 1, places, inner, &type); break;
    case 6: MPI_Type_create_hindexed_block(3, 1, bytes, inner, &type); break;
    case 7: MPI_Type_create_struct(3, lengths, bytes, mixed, &type); break;
    case 8: MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, inner, &type); break;
    case 9:
      MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_FORTRAN, inner, &type);
      break;
    case 10: MPI_Type_create_resized(inner, 0, 40, &type); break;
    case 11: MPI_Type_dup(inner, &type); break;
    default: MPI_Type_vector(2, 1, -2, inner, &type); break;
  }
  return type;
}
constexpr int kinds = 13;

}  // namespace

TEST_CASE("every constructor over a basic type") {
  for (int kind = 0; kind < kinds; ++kind) {
    INFO("constructor " << kind);
    compare(make(kind, MPI_INT));
    compare(make(kind, MPI_CHAR));
  }
}

TEST_CASE("constructors of constructors") {
  for (int outer = 0; outer < kinds; ++outer) {
    for (int inner = 0; inner < kinds; ++inner) {
      if (outer == 7 || inner == 9 || inner == 8) continue;
      INFO("constructor " << outer << " of " << inner);
      MPI_Datatype part = make(inner, MPI_SHORT);
      MPI_Aint lower = 0;
      MPI_Aint extent = 0;
      MPI_Type_get_extent(part, &lower, &extent);
      MPI_Datatype whole = make(outer, part);
      MPI_Aint true_lower = 0;
      MPI_Aint true_extent = 0;
      MPI_Type_get_true_extent(whole, &true_lower, &true_extent);
      const bool fits = true_lower > -area / 2 && true_lower + true_extent < area / 2;
      if (fits) compare(whole);
      else MPI_Type_free(&whole);
      if (part != MPI_SHORT) MPI_Type_free(&part);
    }
  }
}

TEST_CASE("a type that is too ragged is not watched, and a freed type is forgotten") {
  std::vector<int> places(waybill::transport::mpi::max_blocks + 1);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(2 * i);
  MPI_Datatype ragged = MPI_DATATYPE_NULL;
  MPI_Type_create_indexed_block(static_cast<int>(places.size()), 1, places.data(), MPI_CHAR,
                                &ragged);
  MPI_Type_commit(&ragged);
  REQUIRE(block_list(ragged) == nullptr);
  MPI_Type_free(&ragged);
  for (int i = 1; i < 100; ++i) {  // handles are used again
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(i, MPI_INT, &type);
    MPI_Type_commit(&type);
    REQUIRE(block_list(type)->blocks.at(0).bytes == static_cast<std::size_t>(i) * sizeof(int));
    MPI_Type_free(&type);
  }
}
