// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "chart.hpp"
#include "quantity.hpp"

namespace bench {

namespace {

constexpr double widest_bar = 56;
constexpr double between_groups = 0.3;  // as a share of a group's place

/// Where the bars of a frame stand.
class Slots {
 public:
  Slots(const Chart& chart, const Rectangle& frame)
      : frame_(frame),
        group_(frame.width / static_cast<double>(chart.groups.size())),
        count_(chart.series.size()),
        bar_(std::min(group_ * (1 - between_groups) / static_cast<double>(count_), widest_bar)) {}

  [[nodiscard]] double center(std::size_t group) const {
    return frame_.x + group_ * (static_cast<double>(group) + 0.5);
  }
  [[nodiscard]] double left(std::size_t group, std::size_t series) const {
    const double width = bar_ * static_cast<double>(count_);
    return center(group) - width / 2 + bar_ * static_cast<double>(series);
  }
  [[nodiscard]] double bar() const { return bar_; }

 private:
  const Rectangle& frame_;
  double group_;
  std::size_t count_;
  double bar_;
};

void draw_whisker(Svg& svg, double x, const Rectangle& frame, const Scale& scale,
                  const Quartiles& values) {
  const double high = height_of(frame, scale, values.high);
  const double low = height_of(frame, scale, values.low);
  svg.line({x, low}, {x, high}, {"#212529", 1.2});
  for (const double y : {low, high}) svg.line({x - 4, y}, {x + 4, y}, {"#212529", 1.2});
}

void draw_groups(Svg& svg, const Chart& chart, const Slots& slots, const Rectangle& frame) {
  for (std::size_t group = 0; group < chart.groups.size(); ++group) {
    const std::string& name = chart.groups[group];
    double y = frame.bottom() + 18;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('\n', begin), name.size());
      svg.text({slots.center(group), y}, name.substr(begin, end - begin),
               {.size = 11, .anchor = "middle"});
      y += 15;
      begin = end + 1;
    }
  }
}

void draw_values(Svg& svg, const Chart& chart, const Slots& slots, const Rectangle& frame,
                 const Scale& scale) {
  const double base = height_of(frame, scale, 0);
  for (std::size_t series = 0; series < chart.series.size(); ++series) {
    const Series& one = chart.series[series];
    for (std::size_t group = 0; group < one.values.size(); ++group) {
      if (!one.values[group]) continue;
      const double top = height_of(frame, scale, one.values[group]->median);
      const double whisker_top = height_of(frame, scale, one.values[group]->high);
      const Rectangle bar{slots.left(group, series) + 1, std::min(top, base), slots.bar() - 2,
                          std::abs(base - top)};
      svg.rectangle(bar, one.color, "bar");
      draw_whisker(svg, bar.x + bar.width / 2, frame, scale, *one.values[group]);
      svg.text({bar.x + bar.width / 2, std::min(whisker_top, bar.y) - 6},
               text_of_value(one.values[group]->median),
               {.size = bar.width < 40 ? 9.0 : 11.0, .anchor = "middle"});
    }
  }
}

void draw_ratios(Svg& svg, const Chart& chart, const Slots& slots, const Rectangle& frame) {
  const Scale scale = ratio_scale(chart);
  draw_frame(svg, frame, scale, "Waybill / raw");
  draw_even(svg, frame, scale);
  for (std::size_t series = 0; series < chart.series.size(); ++series) {
    const Series& one = chart.series[series];
    for (std::size_t group = 0; group < one.ratios.size(); ++group) {
      if (!one.ratios[group]) continue;
      const double x = slots.left(group, series) + slots.bar() / 2;
      draw_whisker(svg, x, frame, scale, *one.ratios[group]);
      svg.dot({x, height_of(frame, scale, one.ratios[group]->median)}, one.color, true);
    }
  }
}

}  // namespace

void draw_bars(Svg& svg, const Chart& chart, const Rectangle& values, const Rectangle& ratios) {
  std::vector<double> all = drawn_values(chart);
  const Scale::Kind kind = kind_for(all);
  if (kind == Scale::Kind::linear) {
    all.push_back(0);
    all.push_back(1.12 * *std::max_element(all.begin(), all.end()));  // room for the figures
  } else {
    all.push_back(1.5 * *std::max_element(all.begin(), all.end()));
    all.push_back(0.5 * *std::min_element(all.begin(), all.end()));
  }
  const Scale scale(kind, all);
  const Slots slots(chart, values);
  draw_frame(svg, values, scale, chart.value_title);
  draw_values(svg, chart, slots, values, scale);
  const Rectangle& lowest = chart.has_ratios() ? ratios : values;
  if (chart.has_ratios()) draw_ratios(svg, chart, slots, ratios);
  draw_groups(svg, chart, slots, lowest);
}

}  // namespace bench
