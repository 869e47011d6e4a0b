// SPDX-License-Identifier: BSD-3-Clause
#include "result.hpp"

#include "bench/example_results.hpp"
#include "support/catch.hpp"

TEST_CASE("result: ratio and variant") {
  bench::Result result = bench_test::example_result();
  CHECK(result.variant() == "isend, basic");
  CHECK(result.ratio_quartiles()->median == Approx(1.2));
  CHECK_FALSE(result.noisy());
  result.contender.clear();
  CHECK(result.variant() == "isend");
  result.waybill.clear();
  CHECK_FALSE(result.ratio_quartiles());
  CHECK_FALSE(result.noisy());
}

TEST_CASE("result: shares have no ratio") {
  const bench::Result result = bench_test::example_bars().front();
  CHECK(result.is_share());
  CHECK_FALSE(result.ratio_quartiles());
}

TEST_CASE("result: grouped by quantity") {
  std::vector<bench::Result> results = bench_test::example_curves();
  results[1].quantity = "other";
  const auto groups = bench::by_quantity(results);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].size() == results.size() - 1);
  CHECK(groups[1].front().quantity == "other");
}
