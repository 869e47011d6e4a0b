// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A picture as text.

#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct Point {
  double x = 0;
  double y = 0;
};

struct Rectangle {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
};

struct Stroke {
  std::string color = "#868e96";
  double width = 1;
  bool dashed = false;
};

struct Lettering {
  double size = 12;
  std::string_view anchor = "start";  ///< start, middle or end
  std::string color = "#343a40";
  bool bold = false;
  bool upwards = false;  ///< turned by a quarter
};

/// Collects shapes; the units are pixels. A value of plain text.
class Svg {
 public:
  void line(Point from, Point to, const Stroke& stroke);
  void path(const std::vector<Point>& points, const Stroke& stroke);
  void area(const std::vector<Point>& outline, const std::string& color, double opacity);
  void rectangle(const Rectangle& area, const std::string& fill, std::string_view kind);
  void dot(Point center, const std::string& color, bool filled);
  void text(Point at, std::string_view words, const Lettering& lettering = {});

  /// The document, on a white ground.
  [[nodiscard]] std::string document(double width, double height) const;

 private:
  std::string body_;
};

/// About how wide a text will be.
[[nodiscard]] double width_of(std::string_view words, double size);

}  // namespace bench
