// SPDX-License-Identifier: BSD-3-Clause
#include "bench/example_results.hpp"
#include "support/catch.hpp"

using bench_test::contains;

TEST_CASE("head: machine, MPI, binding and settings") {
  const std::string text = bench::head_of(bench_test::example_report({}));
  CHECK(contains(text, "2 cores, 1 allowed, load 0.50"));
  CHECK(contains(text, "Some MPI Version 1, MPI_THREAD_MULTIPLE\n"));
  CHECK(contains(text, "rank 1: node, cores 1\n"));
  CHECK(contains(text, "rounds=5\n"));
}

TEST_CASE("head: what the environment forces is said") {
  CHECK(contains(bench::head_of(bench_test::example_report({})),
                 "WAYBILL_CHECK=off from the environment\n"));
}

TEST_CASE("head: many ranks are cut short") {
  bench::Report report = bench_test::example_report({});
  report.mpi.binding.assign(100, "somewhere");
  const std::string text = bench::head_of(report);
  CHECK(contains(text, "rank 3:"));
  CHECK_FALSE(contains(text, "rank 4:"));
  CHECK(contains(text, "..."));
}
