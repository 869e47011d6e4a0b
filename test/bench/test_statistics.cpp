// SPDX-License-Identifier: BSD-3-Clause
#include "statistics.hpp"

#include "support/catch.hpp"

TEST_CASE("statistics: quartiles are interpolated") {
  const auto values = bench::quartiles({4, 1, 3, 2});
  REQUIRE(values);
  CHECK(values->low == Approx(1.75));
  CHECK(values->median == Approx(2.5));
  CHECK(values->high == Approx(3.25));
  CHECK(bench::quartiles({7})->low == 7);
  CHECK_FALSE(bench::quartiles({}));
  CHECK(bench::median({}) == 0);
}

TEST_CASE("statistics: spread is a share of a median above 0") {
  CHECK(bench::relative_spread({9, 10, 11}).value() == Approx(0.2));
  CHECK_FALSE(bench::relative_spread({-1, 0, 1}));
  CHECK_FALSE(bench::relative_spread({-3, -2, -1}));
}

TEST_CASE("statistics: ratios are those of rounds, so that a drift cancels") {
  const std::vector<double> raw{1, 2, 4, 8, 16};
  const std::vector<double> waybill{1.1, 2.2, 4.4, 8.8, 17.6};
  const auto all = bench::ratios(raw, waybill);
  REQUIRE(all.size() == 5);
  for (const double ratio : all) CHECK(ratio == Approx(1.1));
  CHECK_FALSE(bench::noisy_ratios(all));
  CHECK(bench::ratios({0, 2}, {1, 3, 5}).size() == 1);
}

TEST_CASE("statistics: what makes ratios noisy") {
  CHECK_FALSE(bench::noisy_ratios({1.2, 1.21, 1.2, 1.19, 1.2}));
  CHECK(bench::noisy_ratios({1.2, 1.2, 1.2, 1.2}));            // too few
  CHECK(bench::noisy_ratios({1.0, 1.1, 1.2, 1.3, 1.4}));       // too wide
  CHECK(bench::noisy_ratios({0.98, 0.99, 1.06, 1.07, 1.08}));  // claims more than it shows
  CHECK_FALSE(bench::noisy_ratios({0.98, 0.99, 1.0, 1.01, 1.02}));
  CHECK(bench::noisy_ratios({}));
}

TEST_CASE("statistics: what makes shares noisy") {
  const std::vector<double> wild{0, 30, 60, 90, 20};
  const std::vector<double> shifted{50, 80, 110, 140, 70};
  CHECK_FALSE(bench::noisy_shares(wild, shifted));  // the differences are all 50
  CHECK(bench::noisy_shares(wild, {0, 0, 0, 0, 0}));
  CHECK(bench::noisy_shares({}, wild));
  CHECK_FALSE(bench::noisy_shares({}, {1, 1, 2, 1, 1}));
  CHECK(bench::noisy_shares({1, 1}, {1, 1}));
}
