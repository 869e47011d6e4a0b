// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "catalog.hpp"
#include "chart.hpp"
#include "report.hpp"

namespace bench {

namespace {

constexpr double left = 84;
constexpr double head_height = 84;
constexpr double value_height = 300;
constexpr double ratio_height = 130;
constexpr double gap = 34;         // between values and ratios: for the sizes
constexpr double curve_foot = 60;  // below: the title of the sizes
constexpr double bar_foot = 82;    // below: the names of the groups
constexpr double smallest_width = 660;
constexpr double group_width = 112;
constexpr double right_margin = 24;
constexpr double letters = 12;

double legend_width(const std::vector<Chart>& charts) {
  double widest = 120;
  for (const Chart& chart : charts) {
    for (const Series& series : chart.series) {
      widest = std::max(widest, width_of(series.name, letters) + 40);
    }
  }
  return widest;
}

double frame_width(const std::vector<Chart>& charts) {
  double widest = smallest_width;
  for (const Chart& chart : charts) {
    widest = std::max(widest, group_width * static_cast<double>(chart.groups.size()));
  }
  return widest;
}

double height_of(const Chart& chart) {
  return value_height + (chart.has_ratios() ? gap + ratio_height : 0) +
         (chart.groups.empty() ? curve_foot : bar_foot);
}

void draw_legend(Svg& svg, const Chart& chart, Point at) {
  const char* const good = chart.lower_is_better ? "lower is better" : "higher is better";
  svg.text(at, good, {.size = letters, .bold = true});
  for (const Series& series : chart.series) {
    at.y += 22;
    if (chart.groups.empty()) {
      svg.line({at.x, at.y - 4}, {at.x + 26, at.y - 4}, {series.color, 2, series.raw});
    } else {
      svg.rectangle({at.x + 7, at.y - 10, 12, 12}, series.color, "key");
    }
    svg.text({at.x + 34, at.y}, series.name, {.size = letters});
  }
  at.y += 26;
  const char* const quartiles = chart.groups.empty() ? "bands: quartiles" : "whiskers: quartiles";
  svg.text(at, quartiles, {.size = 11, .color = "#868e96"});
}

void draw_head(Svg& svg, const Report& report, const std::string& test) {
  svg.text({left, 32}, fmt::format("waybill-bench {}", test), {.size = 19, .bold = true});
  svg.text({left, 52},
           fmt::format("{}, {}, {}", report.machine.host, report.machine.cpu, report.date),
           {.size = letters, .color = "#495057"});
  svg.text({left, 68},
           fmt::format("{}, {}, {} ranks", short_name(report.mpi), report.mpi.thread_level,
                       report.mpi.ranks),
           {.size = letters, .color = "#495057"});
}

bool drawn_as_curves(const std::vector<Result>& results) {
  const Entry* const entry = entry_named(results.front().test);
  const bool several = std::any_of(results.begin(), results.end(), [&](const Result& result) {
    return result.bytes != results.front().bytes;
  });
  return entry != nullptr && entry->axis == Axis::size && several;
}

}  // namespace

std::string as_svg(const Report& report, const std::vector<Result>& results) {
  const bool curves = drawn_as_curves(results);
  std::vector<Chart> charts;
  for (const auto& group : by_quantity(results)) {
    charts.push_back(curves ? curves_of(group) : bars_of(group));
  }
  Svg svg;
  draw_head(svg, report, results.front().test);
  const double width = frame_width(charts);
  double y = head_height;
  for (const Chart& chart : charts) {
    const Rectangle values{left, y, width, value_height};
    const Rectangle ratios{left, values.bottom() + gap, width, ratio_height};
    if (curves) draw_curves(svg, chart, values, ratios);
    else draw_bars(svg, chart, values, ratios);
    draw_legend(svg, chart, {values.right() + 20, y + 14});
    y += height_of(chart);
  }
  return svg.document(left + width + 20 + legend_width(charts) + right_margin, y);
}

}  // namespace bench
