// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/suppression.hpp"

#include "made_finding.hpp"
#include "support/catch.hpp"

using namespace waybill;
using recorder::covers;
using recorder::Suppression;
using test_support::made_finding;

TEST_CASE("kind, file and function must all fit") {
  const Finding finding = made_finding(FindingKind::overlapping_buffers, 88, 80);
  Suppression fits{"x", FindingKind::overlapping_buffers, "heat.cpp", "exchange"};
  CHECK(covers(fits, finding));
  Suppression other = fits;
  other.kind = FindingKind::truncated;
  CHECK_FALSE(covers(other, finding));
  other = fits;
  other.file = "heat.cp";
  CHECK_FALSE(covers(other, finding));
  other = fits;
  other.function = "change";
  CHECK_FALSE(covers(other, finding));
}

TEST_CASE("what is left out fits all") {
  CHECK(covers({"x", {}}, made_finding(FindingKind::stalled, 1)));
  Finding nowhere;  // posted with no known place
  CHECK(covers({"x", {}}, nowhere));
  CHECK_FALSE(covers({"x", {}, "?*"}, nowhere));
}

TEST_CASE("a slash in the pattern asks for the folders too") {
  const Finding finding = made_finding(FindingKind::dropped_handle, 88);  // src/heat.cpp
  CHECK(covers({"x", {}, "h*.cpp"}, finding));
  CHECK(covers({"x", {}, "src/heat.cpp"}, finding));
  CHECK(covers({"x", {}, "s*/heat.cpp"}, finding));
  CHECK_FALSE(covers({"x", {}, "*/src/heat.cpp"}, finding));
  CHECK_FALSE(covers({"x", {}, "lib/heat.cpp"}, finding));
  CHECK_FALSE(covers({"x", {}, "src*"}, finding));
}

TEST_CASE("the second post of an overlap does not count") {
  Finding finding = made_finding(FindingKind::overlapping_buffers, 88, 80);
  finding.other.file = "other.cpp";
  CHECK_FALSE(covers({"x", {}, "other.cpp"}, finding));
}
