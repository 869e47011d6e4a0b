// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The parts of a picture that curves and bars share.

#include <optional>
#include <string>
#include <vector>

#include "result.hpp"
#include "scale.hpp"
#include "svg.hpp"

namespace bench {

/// One side of one variant, in the order of the x axis.
struct Series {
  std::string name;
  std::string color;
  bool raw = false;
  std::vector<std::optional<Quartiles>> values;
  std::vector<std::optional<Quartiles>> ratios;  ///< of the Waybill side only
};

/// The results of one quantity, arranged.
struct Chart {
  std::string value_title;  ///< "time one way in us"
  bool share = false;       ///< in %, without ratios
  bool lower_is_better = true;
  std::vector<std::size_t> sizes;   ///< x axis of curves
  std::vector<std::string> groups;  ///< x axis of bars, lines separated by '\n'
  std::vector<Series> series;

  [[nodiscard]] bool has_ratios() const;
};

/// With a curve per variant and side, over sizes.
[[nodiscard]] Chart curves_of(const std::vector<Result>& results);
/// With a group per pattern and size, and a bar per side and contender in it.
[[nodiscard]] Chart bars_of(const std::vector<Result>& results);

void draw_curves(Svg& svg, const Chart& chart, const Rectangle& values, const Rectangle& ratios);
void draw_bars(Svg& svg, const Chart& chart, const Rectangle& values, const Rectangle& ratios);

/// A frame with lines at the scale's ticks and a title along its left side.
void draw_frame(Svg& svg, const Rectangle& frame, const Scale& scale, const std::string& title);
/// The vertical place of a value in a frame.
[[nodiscard]] double height_of(const Rectangle& frame, const Scale& scale, double value);
/// All quartiles of what is drawn.
[[nodiscard]] std::vector<double> drawn_values(const Chart& chart);
/// With 1 among them. The scale of ratios shows where they are far apart.
[[nodiscard]] Scale ratio_scale(const Chart& chart);
/// The line at 1.
void draw_even(Svg& svg, const Rectangle& frame, const Scale& scale);

}  // namespace bench
