// SPDX-License-Identifier: BSD-3-Clause
#include "merge.hpp"

#include <stdexcept>

#include "bench/example_results.hpp"
#include "support/catch.hpp"

namespace {

/// The JSON of a job of one side, whose median is @p value.
std::string job(bool raw, double value) {
  bench::Result result = bench_test::example_result();
  result.raw.clear();
  result.waybill.clear();
  (raw ? result.raw : result.waybill) = {value, value, value};
  if (raw) result.contender.clear();
  return bench::as_json(bench_test::example_report({result}));
}

}  // namespace

TEST_CASE("merge: a sample is the median of a job") {
  const bench::Report report =
      bench::merge({job(true, 10), job(true, 20)}, {job(false, 11), job(false, 22)});
  REQUIRE(report.results.size() == 1);
  const bench::Result& result = report.results.front();
  CHECK(result.raw == std::vector<double>{10, 20});
  CHECK(result.waybill == std::vector<double>{11, 22});
  CHECK(result.ratio_quartiles()->median == Approx(1.1));
  CHECK(result.variant() == "isend, basic vs raw SINGLE");
  CHECK(report.mpi.ranks == 2);
}

TEST_CASE("merge: what is not understood is refused") {
  CHECK_THROWS_AS(bench::merge({"{}"}, {"{}"}), std::runtime_error);
  CHECK_THROWS_AS(bench::merge({""}, {""}), std::runtime_error);
}
