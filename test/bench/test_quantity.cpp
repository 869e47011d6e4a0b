// SPDX-License-Identifier: BSD-3-Clause
#include "quantity.hpp"

#include "support/catch.hpp"

using namespace std::chrono_literals;

TEST_CASE("quantity: sizes as people write them") {
  CHECK(bench::bytes_from("0") == 0U);
  CHECK(bench::bytes_from("8") == 8U);
  CHECK(bench::bytes_from("8B") == 8U);
  for (const char* word : {"64k", "64K", "64KiB", "64 KiB"}) {
    CHECK(bench::bytes_from(word) == 65536U);
  }
  for (const char* word : {"1M", "1MiB", "1 MiB"}) CHECK(bench::bytes_from(word) == 1048576U);
  CHECK(bench::bytes_from("1.5k") == 1536U);
  CHECK(bench::bytes_from("1GiB") == bench::largest_message);
  for (const char* word :
       {"", "-1", "k", "8 x", "1.2.3", "1e3", "1025M", "0.5", "99999999999999"}) {
    CHECK_FALSE(bench::bytes_from(word));
  }
}

TEST_CASE("quantity: sizes are printed as they are read") {
  for (const char* word : {"0 B", "8 B", "512 B", "4 KiB", "64 KiB", "1 MiB", "1.5 MiB", "1 GiB"}) {
    CHECK(bench::text_of_bytes(bench::bytes_from(word).value()) == word);
  }
}

TEST_CASE("quantity: times have units") {
  CHECK(bench::time_from("3ms") == 3ms);
  CHECK(bench::time_from("200us") == 200us);
  CHECK(bench::time_from("1.5s") == 1500ms);
  for (const char* word : {"", "3", "3m", "0ms", "-1s", "61s", "ms"}) {
    CHECK_FALSE(bench::time_from(word));
  }
}

TEST_CASE("quantity: numbers and lists") {
  CHECK(bench::number_from("15") == 15U);
  for (const char* word : {"", "-1", "1.5", "x", "1234567890"}) {
    CHECK_FALSE(bench::number_from(word));
  }
  CHECK(bench::words_of("a,b") == std::vector<std::string>{"a", "b"});
  CHECK(bench::words_of("a,,b").size() == 3);
  CHECK(bench::words_of("").size() == 1);
}

TEST_CASE("quantity: values have the digits that matter") {
  CHECK(bench::text_of_value(0.0123) == "0.012");
  CHECK(bench::text_of_value(1.234) == "1.23");
  CHECK(bench::text_of_value(12.34) == "12.3");
  CHECK(bench::text_of_value(123.4) == "123");
  CHECK(bench::text_of_value(12345) == "12,345");
  CHECK(bench::text_of_value(-1234567) == "-1,234,567");
  CHECK(bench::text_of_value(-123) == "-123");
  CHECK(bench::text_of_value(0) == "0.00");
}
