// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <sstream>

#include "bench/example_results.hpp"
#include "support/catch.hpp"

using bench_test::contains;
using bench_test::count;

namespace {

std::string picture_of(const std::vector<bench::Result>& results) {
  return bench::as_svg(bench_test::example_report(results), results);
}

/// The number behind ` name="`.
double attribute(const std::string& element, const std::string& name) {
  const std::size_t at = element.find(" " + name + "=\"");
  REQUIRE(at != std::string::npos);
  return std::stod(element.substr(at + name.size() + 3));
}

std::vector<std::string> elements(const std::string& svg, const std::string& begin) {
  std::vector<std::string> all;
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    all.push_back(svg.substr(at, svg.find('>', at) - at));
  }
  return all;
}

bool in_a_frame(const std::string& svg, double x, double y) {
  for (const std::string& frame : elements(svg, "<rect class=\"frame\"")) {
    const double left = attribute(frame, "x");
    const double top = attribute(frame, "y");
    if (x >= left && x <= left + attribute(frame, "width") && y >= top &&
        y <= top + attribute(frame, "height")) {
      return true;
    }
  }
  return false;
}

/// Every element is closed, and names of the machine are escaped.
void check_form(const std::string& svg) {
  CHECK(contains(svg, "<?xml version"));
  CHECK(contains(svg, "node&lt;1&gt;"));
  CHECK(contains(svg, "&quot;CPU&quot; &amp; more"));
  CHECK(count(svg, "<text") == count(svg, "</text>"));
  CHECK(count(svg, "<") - count(svg, "<text") - count(svg, "</") - count(svg, "<?xml") - 1 ==
        count(svg, "/>"));
  CHECK_FALSE(contains(svg, "nan"));
  CHECK_FALSE(contains(svg, "inf"));
}

}  // namespace

TEST_CASE("picture: curves lie inside their frames") {
  const std::string svg = picture_of(bench_test::example_curves());
  check_form(svg);
  CHECK(elements(svg, "<rect class=\"frame\"").size() == 2);
  const auto points = elements(svg, "<circle");
  CHECK(points.size() == 2 * (2 + 3 + 2));  // of two patterns: raw, Waybill, ratios
  for (const std::string& point : points) {
    CHECK(in_a_frame(svg, attribute(point, "cx"), attribute(point, "cy")));
  }
  for (const char* words :
       {"waybill-bench latency", "2026-01-02", "message size", "time one way in us",
        "Waybill / raw", "lower is better", "Waybill: blocking, basic"}) {
    CHECK(contains(svg, words));
  }
}

TEST_CASE("picture: bars for what has no sizes") {
  const std::string svg = picture_of(bench_test::example_bars());
  check_form(svg);
  CHECK(elements(svg, "<rect class=\"frame\"").size() == 1);  // shares have no ratios
  const auto bars = elements(svg, "<rect class=\"bar\"");
  CHECK(bars.size() == 4);
  for (const std::string& bar : bars) {
    CHECK(in_a_frame(svg, attribute(bar, "x"), attribute(bar, "y")));
    CHECK(in_a_frame(svg, attribute(bar, "x") + attribute(bar, "width"),
                     attribute(bar, "y") + attribute(bar, "height")));
  }
}

TEST_CASE("picture: one size alone becomes bars, with ratios") {
  const std::string svg = picture_of({bench_test::example_result()});
  check_form(svg);
  CHECK(elements(svg, "<rect class=\"bar\"").size() == 2);
  CHECK(elements(svg, "<rect class=\"frame\"").size() == 2);
}
