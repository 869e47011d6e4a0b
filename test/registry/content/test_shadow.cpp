// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/shadow.hpp"

#include <cstring>
#include <vector>

#include "registry/content/pieces.hpp"
#include "registry/footprint.hpp"
#include "support/catch.hpp"

using namespace waybill;
using namespace waybill::registry;

namespace {

BufferShape rows_of_bytes(void* address, std::size_t rows, std::size_t columns,
                          std::size_t stride) {
  BufferShape shape;
  shape.address = address;
  shape.rows = rows;
  shape.columns = columns;
  shape.stride_bytes = stride;
  return shape;
}

void fill(const BufferShape& place, std::size_t bytes, unsigned char value) {
  std::memset(const_cast<void*>(place.address), value, bytes);
}

}  // namespace

TEST_CASE("rows come from a place without gaps, and gaps stay as they are") {
  ContentMemory memory(100'000);
  std::vector<unsigned char> matrix(10 * 100, 1);
  const BufferShape buffer = rows_of_bytes(matrix.data(), 10, 30, 100);
  const Footprint footprint = strided_footprint(matrix.data(), 10, 30, 100);
  Shadow shadow;
  REQUIRE(shadow.take(footprint, buffer, touched_bytes(footprint), memory));
  const BufferShape place = shadow.instead_of(buffer, footprint);
  CHECK(place.rows == 1);
  CHECK(place.bytes() == 300);
  CHECK(place.address != buffer.address);
  fill(place, 300, 2);
  for (const unsigned char byte : matrix) REQUIRE(byte == 1);

  shadow.deliver(footprint, 40);  // a short message: one row and a third
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    REQUIRE(matrix[i] == (i < 30 || (i >= 100 && i < 110) ? 2 : 1));
  }
  shadow.deliver(footprint, 300);
  for (std::size_t i = 0; i < matrix.size(); ++i) REQUIRE(matrix[i] == (i % 100 < 30 ? 2 : 1));
  shadow.give_back(memory);
  CHECK_FALSE(shadow.taken());
}

TEST_CASE("an MPI_Datatype finds a place like its buffer") {
  ContentMemory memory(100'000);
  std::vector<unsigned char> bytes(64, 1);
  // elements of 2 + 1 bytes with gaps, two of them, the first block before the address
  const auto list = make_block_list({{-4, 2}, {3, 1}}, 16);
  const Footprint footprint = blocks_footprint(bytes.data() + 8, 2, list);
  BufferShape buffer;
  buffer.address = bytes.data() + 8;
  buffer.element = Element::native;
  Shadow shadow;
  REQUIRE(shadow.take(footprint, buffer, touched_bytes(footprint), memory));
  const BufferShape place = shadow.instead_of(buffer, footprint);
  auto* const there = static_cast<unsigned char*>(const_cast<void*>(place.address));
  CHECK(there[-4] == 1);  // filled with what the buffer holds
  there[-3] = 7;
  there[16 + 3] = 8;
  shadow.deliver(footprint, 2);  // whatever MPI says: all of it goes over
  CHECK(bytes[8 - 3] == 7);
  CHECK(bytes[8 + 19] == 8);
  CHECK(bytes[8 - 4] == 1);
  shadow.give_back(memory);
}

TEST_CASE("no shadow is made of absolute addresses, of far apart bytes, or without memory") {
  ContentMemory memory(1000);
  std::vector<unsigned char> bytes(4096);
  Shadow shadow;
  BufferShape bottom;
  bottom.element = Element::native;
  const Footprint few = contiguous_footprint(bytes.data(), 100);
  CHECK_FALSE(shadow.take(few, bottom, 100, memory));
  BufferShape wide = bottom;
  wide.address = bytes.data();
  CHECK_FALSE(shadow.take(strided_footprint(bytes.data(), 2, 1, 4000), wide, 2, memory));
  CHECK_FALSE(shadow.take(contiguous_footprint(bytes.data(), 2000),
                          rows_of_bytes(bytes.data(), 1, 2000, 0), 2000, memory));
  CHECK_FALSE(shadow.taken());
}
