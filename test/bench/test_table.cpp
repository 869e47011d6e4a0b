// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include "bench/example_results.hpp"
#include "support/catch.hpp"

using bench_test::contains;

TEST_CASE("table: says what is good and how the ratio is made") {
  const std::string text = bench::table_of({bench_test::example_result()});
  CHECK(contains(text, "latency: time one way in us, lower is better; ratio = waybill / raw\n"));
  CHECK(contains(text, "isend, basic  64 KiB  10.0     0 %     12.0     0 %   1.20\n"));
}

TEST_CASE("table: columns are aligned and no line ends with blanks") {
  const std::string text = bench::table_of(bench_test::example_curves());
  CHECK_FALSE(contains(text, " \n"));
  const std::size_t title = text.find("  variant");
  const std::size_t column = text.find("ratio  noisy") - title;
  const std::size_t row = text.find("  blocking, basic  4 KiB");
  REQUIRE(row != std::string::npos);
  CHECK(text.substr(row + column, 5) == " 1.20");
}

TEST_CASE("table: what was not measured is a dash") {
  bench::Result result = bench_test::example_result();
  result.raw.clear();
  CHECK(contains(bench::table_of({result}), "-       -     12.0     0 %      -\n"));
}

TEST_CASE("table: noise and shares") {
  bench::Result result = bench_test::example_result();
  result.waybill = {5, 12, 30, 12, 50};
  CHECK(contains(bench::table_of({result}), "noisy\n"));
  const std::string shares = bench::table_of(bench_test::example_bars());
  CHECK(contains(shares, " pt"));
  CHECK_FALSE(contains(shares, "ratio ="));
}
