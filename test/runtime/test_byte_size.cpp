// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/byte_size.hpp"

#include <limits>

#include "support/catch.hpp"

using waybill::runtime::format_byte_size;
using waybill::runtime::parse_byte_size;

TEST_CASE("sizes are read with and without a unit") {
  CHECK(parse_byte_size("0") == 0);
  CHECK(parse_byte_size("17") == 17);
  CHECK(parse_byte_size("17B") == 17);
  CHECK(parse_byte_size("64KiB") == 65536);
  CHECK(parse_byte_size("3MiB") == 3145728);
  CHECK(parse_byte_size("2GiB") == std::size_t{2} << 30U);
  CHECK(parse_byte_size("18446744073709551615") == std::numeric_limits<std::size_t>::max());
}

TEST_CASE("what is no size is refused") {
  for (const char* text : {"", "KiB", "-1", "+1", "1.5", "1 KiB", "64kib", "64KB", "64K", "0x10",
                           "18446744073709551616", "18014398509481984KiB"}) {
    INFO(text);
    CHECK_FALSE(parse_byte_size(text));
  }
}

TEST_CASE("sizes are shown in the largest unit that fits, and read back") {
  CHECK(format_byte_size(0) == "0");
  CHECK(format_byte_size(1000) == "1000");
  CHECK(format_byte_size(65536) == "64KiB");
  CHECK(format_byte_size(std::size_t{5} << 20U) == "5MiB");
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1536},
                                  std::size_t{3} << 30U, (std::size_t{3} << 30U) + 1}) {
    CHECK(parse_byte_size(format_byte_size(bytes)) == bytes);
  }
}
