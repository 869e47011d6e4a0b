// SPDX-License-Identifier: BSD-3-Clause
#include "chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quantity.hpp"

namespace bench {

namespace {

/// Of a pattern: for raw MPI, then by contender. Readable for the colour-blind.
constexpr std::array<std::array<const char*, 4>, 4> palette{{
    {"#7fb2de", "#08519c", "#0b8a8f", "#5f3dc4"},
    {"#f0a868", "#b8400a", "#a61e4d", "#7a5c00"},
    {"#8fcf9b", "#1b7a35", "#4d6b00", "#00695c"},
    {"#c9a3e0", "#6a1b9a", "#ad1457", "#37474f"},
}};

std::string color_of(std::size_t pattern, std::size_t side) {
  const auto& shades = palette[pattern % palette.size()];
  return shades[side == 0 ? 0 : 1 + (side - 1) % (shades.size() - 1)];
}

template <class T>
std::size_t index_in(std::vector<T>& list, const T& wanted) {
  const auto found = std::find(list.begin(), list.end(), wanted);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(wanted);
  return list.size() - 1;
}

Chart titled(const std::vector<Result>& results) {
  Chart chart;
  const Result& first = results.front();
  chart.value_title = fmt::format("{} in {}", first.quantity, first.unit);
  chart.share = first.is_share();
  chart.lower_is_better = first.better == Better::lower;
  return chart;
}

/// The series of this name, with room for @p places values.
Series& series_named(Chart& chart, const std::string& name, const std::string& color, bool raw,
                     std::size_t places) {
  const auto found = std::find_if(chart.series.begin(), chart.series.end(),
                                  [&](const Series& series) { return series.name == name; });
  if (found != chart.series.end()) return *found;
  Series series{name, color, raw, {}, {}};
  series.values.resize(places);
  series.ratios.resize(places);
  chart.series.push_back(std::move(series));
  return chart.series.back();
}

std::string side_name(const char* side, const std::string& rest) {
  return rest.empty() ? std::string(side) : fmt::format("{}: {}", side, rest);
}

std::string group_name(const Result& result) {
  std::string name = result.pattern;
  for (std::size_t comma = name.find(", "); comma != std::string::npos; comma = name.find(", ")) {
    name.replace(comma, 2, "\n");
  }
  if (result.bytes) name += (name.empty() ? "" : "\n") + text_of_bytes(*result.bytes);
  return name;
}

}  // namespace

bool Chart::has_ratios() const {
  return std::any_of(series.begin(), series.end(), [](const Series& one) {
    return std::any_of(one.ratios.begin(), one.ratios.end(),
                       [](const auto& ratio) { return ratio.has_value(); });
  });
}

Chart curves_of(const std::vector<Result>& results) {
  Chart chart = titled(results);
  for (const Result& result : results) index_in(chart.sizes, result.bytes.value_or(0));
  std::sort(chart.sizes.begin(), chart.sizes.end());
  std::vector<std::string> patterns;
  std::vector<std::string> contenders;
  for (const Result& result : results) {
    const std::size_t place = index_in(chart.sizes, result.bytes.value_or(0));
    const std::size_t pattern = index_in(patterns, result.pattern);
    const std::size_t contender = index_in(contenders, result.contender);
    if (!result.raw.empty()) {
      series_named(chart, side_name("raw MPI", result.pattern), color_of(pattern, 0), true,
                   chart.sizes.size())
          .values[place] = result.raw_quartiles();
    }
    if (result.waybill.empty()) continue;
    Series& series = series_named(chart, side_name("Waybill", result.variant()),
                                  color_of(pattern, contender + 1), false, chart.sizes.size());
    series.values[place] = result.waybill_quartiles();
    series.ratios[place] = result.ratio_quartiles();
  }
  return chart;
}

Chart bars_of(const std::vector<Result>& results) {
  Chart chart = titled(results);
  for (const Result& result : results) index_in(chart.groups, group_name(result));
  std::vector<std::string> contenders;
  for (const Result& result : results) {
    const std::size_t place = index_in(chart.groups, group_name(result));
    const std::size_t contender = index_in(contenders, result.contender);
    if (!result.raw.empty()) {
      series_named(chart, "raw MPI", color_of(0, 0), true, chart.groups.size()).values[place] =
          result.raw_quartiles();
    }
    if (result.waybill.empty()) continue;
    Series& series = series_named(chart, side_name("Waybill", result.contender),
                                  color_of(0, contender + 1), false, chart.groups.size());
    series.values[place] = result.waybill_quartiles();
    series.ratios[place] = result.ratio_quartiles();
  }
  return chart;
}

void draw_frame(Svg& svg, const Rectangle& frame, const Scale& scale, const std::string& title) {
  svg.rectangle(frame, "#f8f9fa", "frame");
  for (const double tick : scale.ticks()) {
    const double y = height_of(frame, scale, tick);
    svg.line({frame.x, y}, {frame.right(), y}, {"#dee2e6", 1});
    svg.text({frame.x - 8, y + 4}, tick_text(tick), {.size = 11, .anchor = "end"});
  }
  svg.line({frame.x, frame.bottom()}, {frame.right(), frame.bottom()}, {"#868e96", 1});
  svg.text({frame.x - 58, frame.y + frame.height / 2}, title,
           {.size = 12, .anchor = "middle", .upwards = true});
}

double height_of(const Rectangle& frame, const Scale& scale, double value) {
  return frame.bottom() - frame.height * scale.place(value);
}

std::vector<double> drawn_values(const Chart& chart) {
  std::vector<double> all;
  for (const Series& series : chart.series) {
    for (const auto& value : series.values) {
      if (value) all.insert(all.end(), {value->low, value->median, value->high});
    }
  }
  return all;
}

Scale ratio_scale(const Chart& chart) {
  std::vector<double> all{0.9, 1.1};
  for (const Series& series : chart.series) {
    for (const auto& ratio : series.ratios) {
      if (ratio) all.insert(all.end(), {ratio->low, ratio->high});
    }
  }
  return {kind_for(all, 5), all};
}

void draw_even(Svg& svg, const Rectangle& frame, const Scale& scale) {
  const double y = height_of(frame, scale, 1);
  svg.line({frame.x, y}, {frame.right(), y}, {"#495057", 1.5});
}

}  // namespace bench
