// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/area.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace traffic;

namespace {

constexpr std::size_t bytes = 60;

struct Matrix {
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(200, untouched);
  Area area{memory.data(), 12, 5, 7};
};

}  // namespace

TEST_CASE("filled memory is right, whatever its shape") {
  Matrix matrix;
  fill(matrix.area, 7);
  REQUIRE_FALSE(first_wrong(matrix.area, 7, bytes));
  REQUIRE_FALSE(first_wrong_in_gaps(matrix.area));
  std::vector<std::uint8_t> row(bytes);
  fill({row.data(), 1, bytes, bytes}, 7);
  for (std::size_t i = 0; i < bytes; ++i) REQUIRE(row[i] == matrix.area.byte(i));
}

TEST_CASE("each wrong byte is seen") {
  for (std::size_t i = 0; i < bytes; ++i) {
    Matrix matrix;
    fill(matrix.area, 7);
    matrix.area.byte(i) ^= 1U;
    REQUIRE(first_wrong(matrix.area, 7, bytes) == i);
  }
}

TEST_CASE("what came behind a short message, or into a gap, is seen") {
  Matrix matrix;
  fill(matrix.area, 7);
  REQUIRE(first_wrong(matrix.area, 7, 20).has_value());
  matrix.memory[5] = 0;
  REQUIRE(first_wrong_in_gaps(matrix.area) == std::size_t{5});
}

TEST_CASE("another message is wrong from its first bytes on") {
  Matrix matrix;
  fill(matrix.area, 7);
  const auto wrong = first_wrong(matrix.area, 8, bytes);
  REQUIRE(wrong.has_value());
  REQUIRE(*wrong < 4);
}
