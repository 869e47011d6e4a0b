// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "summary.hpp"
#include "support/catch.hpp"

namespace {

heat::Summary example() {
  heat::Summary summary;
  summary.plan.width = 768;
  summary.plan.height = 512;
  summary.plan.steps = 300;
  summary.plan.grid = {2, 1};
  summary.measurements = {{0.5, 2e-6, 20e-6, 0}, {0.6, 4e-6, 28e-6, 0}};
  summary.result = "/somewhere/heat.png";
  return summary;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("summary: the figures are those of all processes") {
  const std::string text = heat::text_of(example());
  CHECK(contains(text, "768 x 512 picture, 2 processes as 2 x 1, 300 steps"));
  CHECK(contains(text, "steps/s            500\n"));
  CHECK(contains(text, "hidden by overlap  88 % (waiting 3.0 us a step; 24.0 us without overlap"));
  CHECK(contains(text, "findings           0\n"));
  CHECK(contains(text, "result             /somewhere/heat.png\n"));
  CHECK(std::all_of(text.begin(), text.end(), [](char letter) {
    return letter == '\n' || (letter >= ' ' && letter <= '~');
  }));
}

TEST_CASE("summary: `verified` is said only of what was compared") {
  heat::Summary summary = example();
  CHECK_FALSE(contains(heat::text_of(summary), "verified"));
  summary.difference = 0;
  CHECK(contains(heat::text_of(summary), "verified           max difference"));
  summary.difference = 1e-3;
  CHECK(contains(heat::text_of(summary), "verified           FAILED"));
}

TEST_CASE("summary: overlap is never negative and needs two processes") {
  heat::Summary summary = example();
  summary.measurements[0].overlapped_waiting_seconds = 1;
  CHECK(contains(heat::text_of(summary), "hidden by overlap  0 %"));
  summary.measurements.resize(1);
  CHECK(contains(heat::text_of(summary), "hidden by overlap  none"));
}

TEST_CASE("summary: a run too short for both kinds of steps has no overlap") {
  heat::Summary summary = example();
  summary.measurements[1].overlapped_waiting_seconds = -1;
  CHECK(contains(heat::text_of(summary), "hidden by overlap  not measured"));
}

TEST_CASE("summary: no steps make no speed") {
  heat::Summary summary = example();
  summary.plan.steps = 0;
  CHECK(contains(heat::text_of(summary), "steps/s            none"));
}

TEST_CASE("summary: findings of every process count") {
  heat::Summary summary = example();
  summary.measurements[1].findings = 7;
  CHECK(contains(heat::text_of(summary), "7 in 1 of 2 processes"));
}
