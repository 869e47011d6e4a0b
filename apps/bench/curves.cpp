// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "chart.hpp"
#include "quantity.hpp"

namespace bench {

namespace {

constexpr double margin = 18;  // between the frame and the first and last point
constexpr double label_width = 48;

/// Places of the sizes on a logarithmic axis. An empty message stands left of the others.
std::vector<double> places_of(const std::vector<std::size_t>& sizes, const Rectangle& frame) {
  std::vector<double> logarithms;
  for (const std::size_t size : sizes) {
    logarithms.push_back(size == 0 ? 0 : std::log2(static_cast<double>(size)));
  }
  if (sizes.size() > 1 && sizes.front() == 0) logarithms.front() = logarithms[1] - 2;
  const double first = logarithms.front();
  const double range = logarithms.back() - first;
  for (double& logarithm : logarithms) {
    const double share = range > 0 ? (logarithm - first) / range : 0.5;
    logarithm = frame.x + margin + share * (frame.width - 2 * margin);
  }
  return logarithms;
}

void draw_sizes(Svg& svg, const Chart& chart, const std::vector<double>& places,
                const Rectangle& frame, bool with_title) {
  double free_from = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    svg.line({places[i], frame.bottom()}, {places[i], frame.bottom() + 4}, {"#868e96", 1});
    if (places[i] - label_width / 2 < free_from) continue;
    free_from = places[i] + label_width / 2;
    svg.text({places[i], frame.bottom() + 18}, text_of_bytes(chart.sizes[i]),
             {.size = 11, .anchor = "middle"});
  }
  if (!with_title) return;
  svg.text({frame.x + frame.width / 2, frame.bottom() + 36}, "message size",
           {.size = 12, .anchor = "middle"});
}

/// A band between the quartiles, a curve through the medians.
void draw_series(Svg& svg, const std::vector<std::optional<Quartiles>>& values,
                 const Series& series, const std::vector<double>& places, const Rectangle& frame,
                 const Scale& scale) {
  std::vector<Point> medians;
  std::vector<Point> outline;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    medians.push_back({places[i], height_of(frame, scale, values[i]->median)});
    outline.push_back({places[i], height_of(frame, scale, values[i]->high)});
  }
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i]) outline.push_back({places[i], height_of(frame, scale, values[i]->low)});
  }
  svg.area(outline, series.color, 0.18);
  svg.path(medians, {series.color, 2, series.raw});
  for (const Point& median : medians) svg.dot(median, series.color, !series.raw);
}

}  // namespace

void draw_curves(Svg& svg, const Chart& chart, const Rectangle& values, const Rectangle& ratios) {
  std::vector<double> all = drawn_values(chart);
  if (chart.share) all.insert(all.end(), {0, 100});
  const Scale scale(kind_for(all), all);
  const std::vector<double> places = places_of(chart.sizes, values);
  draw_frame(svg, values, scale, chart.value_title);
  draw_sizes(svg, chart, places, values, !chart.has_ratios());
  for (const Series& series : chart.series) {
    draw_series(svg, series.values, series, places, values, scale);
  }
  if (!chart.has_ratios()) return;
  const Scale of_ratios = ratio_scale(chart);
  draw_frame(svg, ratios, of_ratios, "Waybill / raw");
  draw_even(svg, ratios, of_ratios);
  draw_sizes(svg, chart, places, ratios, true);
  for (const Series& series : chart.series) {
    if (!series.raw) draw_series(svg, series.ratios, series, places, ratios, of_ratios);
  }
}

}  // namespace bench
