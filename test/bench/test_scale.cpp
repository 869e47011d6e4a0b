// SPDX-License-Identifier: BSD-3-Clause
#include "scale.hpp"

#include "support/catch.hpp"

using bench::Scale;

TEST_CASE("scale: covers all values, with round ticks") {
  for (const Scale::Kind kind : {Scale::Kind::linear, Scale::Kind::logarithmic}) {
    const Scale scale(kind, {0.3, 7, 42});
    CHECK(scale.place(0.3) >= 0);
    CHECK(scale.place(42) <= 1);
    CHECK(scale.place(0.3) < scale.place(7));
    CHECK(scale.place(7) < scale.place(42));
    CHECK(scale.ticks().size() >= 3);
    CHECK(std::is_sorted(scale.ticks().begin(), scale.ticks().end()));
  }
}

TEST_CASE("scale: values that are all the same, none, or not for logarithms") {
  for (const Scale::Kind kind : {Scale::Kind::linear, Scale::Kind::logarithmic}) {
    for (const auto& values : {std::vector<double>{}, {5, 5}, {0, 0}, {-1, 3}}) {
      const Scale scale(kind, values);
      for (const double value : {-1.0, 0.0, 5.0, 1e9}) {
        CHECK(scale.place(value) >= 0);
        CHECK(scale.place(value) <= 1);
      }
      CHECK(scale.ticks().size() >= 2);
      CHECK(scale.ticks().size() < 30);
    }
  }
}

TEST_CASE("scale: logarithmic only where values are above 0 and far apart") {
  CHECK(bench::kind_for({1, 1000}) == Scale::Kind::logarithmic);
  CHECK(bench::kind_for({1, 2}) == Scale::Kind::linear);
  CHECK(bench::kind_for({0, 1000}) == Scale::Kind::linear);
  CHECK(bench::kind_for({}) == Scale::Kind::linear);
}

TEST_CASE("scale: texts of ticks") {
  CHECK(bench::tick_text(0) == "0");
  CHECK(bench::tick_text(0.5) == "0.5");
  CHECK(bench::tick_text(5000) == "5000");
  CHECK(bench::tick_text(20000) == "20k");
  CHECK(bench::tick_text(5e6) == "5M");
}
