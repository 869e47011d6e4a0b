// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/datatypes.hpp"

#include <climits>
#include <set>

#include "support/catch.hpp"

using waybill::BufferShape;
using waybill::Element;
using waybill::transport::mpi::builtin_type;
using waybill::transport::mpi::StridedTypes;
using waybill::transport::mpi::typed_count;
using waybill::transport::mpi::TypedCount;

namespace {

MPI_Count bytes_of(const TypedCount& typed) {
  MPI_Count size = 0;
  MPI_Type_size_x(typed.type, &size);
  return size * typed.count;
}

}  // namespace

TEST_CASE("each element type has MPI's type of its size") {
  const std::size_t bytes[] = {1,
                               1,
                               1,
                               1,
                               sizeof(bool),
                               sizeof(short),
                               sizeof(short),
                               sizeof(int),
                               sizeof(int),
                               sizeof(long),
                               sizeof(long),
                               sizeof(long long),
                               sizeof(long long),
                               sizeof(float),
                               sizeof(double),
                               sizeof(long double),
                               2 * sizeof(float),
                               2 * sizeof(double),
                               2,
                               2};
  std::set<std::uintptr_t> distinct;
  for (int e = 0; e < static_cast<int>(Element::opaque); ++e) {
    const MPI_Datatype type = builtin_type(static_cast<Element>(e));
    int size = 0;
    MPI_Type_size(type, &size);
    REQUIRE(static_cast<std::size_t>(size) == bytes[e]);
    distinct.insert(waybill::transport::mpi::pack(type));
  }
  // MPI has no type for the two of 16 bits, which share one.
  REQUIRE(distinct.size() == static_cast<std::size_t>(Element::opaque) - 1);
}

TEST_CASE("counts beyond int become one type of the right size") {
  StridedTypes strided;
  double nothing = 0;
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{INT_MAX}, std::size_t{INT_MAX} + 1, std::size_t{1} << 31,
        (std::size_t{1} << 32) + 7, std::size_t{5} << 40}) {
    BufferShape shape{&nothing, count, 1, 0, 8, 0, Element::double_};
    TypedCount typed = typed_count(shape, strided);
    REQUIRE(bytes_of(typed) == static_cast<MPI_Count>(count) * 8);
    REQUIRE(typed.temporary == (count > INT_MAX));
    if (typed.temporary) MPI_Type_free(&typed.type);
  }
}

TEST_CASE("strided types are made once per shape") {
  StridedTypes strided;
  double memory[100] = {};
  const BufferShape column{memory, 1, 10, 80, 8, 0, Element::double_};
  const TypedCount first = typed_count(column, strided);
  BufferShape elsewhere = column;
  elsewhere.address = memory + 3;
  REQUIRE(typed_count(elsewhere, strided).type == first.type);
  REQUIRE_FALSE(first.temporary);
  REQUIRE(bytes_of(first) == 80);
  BufferShape wider = column;
  wider.columns = 2;
  REQUIRE(typed_count(wider, strided).type != first.type);
  strided.clear();
}

TEST_CASE("beyond a thousand shapes types are temporary, not fewer") {
  StridedTypes strided;
  double memory[4] = {};
  int temporary = 0;
  for (std::size_t rows = 2; rows < 1102; ++rows) {
    TypedCount typed = typed_count({memory, 1, rows, 16, 8, 0, Element::double_}, strided);
    REQUIRE(bytes_of(typed) == static_cast<MPI_Count>(rows) * 8);
    if (typed.temporary) {
      ++temporary;
      MPI_Type_free(&typed.type);
    }
  }
  REQUIRE(temporary == 76);
  strided.clear();
}
