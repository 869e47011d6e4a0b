// SPDX-License-Identifier: BSD-3-Clause
#include "registry/start_sites.hpp"

#include "support/catch.hpp"

using waybill::PostingSite;
using waybill::registry::number_of_start;
using waybill::registry::start_site;

TEST_CASE("a line keeps its number, and the number its line") {
  const PostingSite one{"heat.cpp", "step", 7};
  const PostingSite other{"heat.cpp", "step", 8};
  const auto number = number_of_start(one);
  REQUIRE(number != 0);
  REQUIRE(number_of_start(other) != number);
  REQUIRE(number_of_start(one) == number);
  REQUIRE(start_site(number).line == 7);
  REQUIRE(start_site(0).line == 0);
  REQUIRE(start_site(255).line == 0);
}
