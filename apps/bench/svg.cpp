// SPDX-License-Identifier: BSD-3-Clause
#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {

namespace {

std::string escaped(std::string_view words) {
  std::string text;
  for (const char letter : words) {
    switch (letter) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      default: text += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
  }
  return text;
}

std::string coordinates(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) text += fmt::format("{:.1f},{:.1f} ", point.x, point.y);
  return text;
}

std::string attributes(const Stroke& stroke) {
  return fmt::format(R"(stroke="{}" stroke-width="{}"{})", stroke.color, stroke.width,
                     stroke.dashed ? R"( stroke-dasharray="6 4")" : "");
}

}  // namespace

void Svg::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
                       from.x, from.y, to.x, to.y, attributes(stroke));
}

void Svg::path(const std::vector<Point>& points, const Stroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n",
                       coordinates(points), attributes(stroke));
}

void Svg::area(const std::vector<Point>& outline, const std::string& color, double opacity) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n",
                       coordinates(outline), color, opacity);
}

void Svg::rectangle(const Rectangle& area, const std::string& fill, std::string_view kind) {
  body_ += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "fill=\"{}\"/>\n",
      kind, area.x, area.y, area.width, area.height, fill);
}

void Svg::dot(Point center, const std::string& color, bool filled) {
  body_ += fmt::format(
      "<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.5\"/>\n",
      center.x, center.y, filled ? color : "#ffffff", color);
}

void Svg::text(Point at, std::string_view words, const Lettering& lettering) {
  const std::string turned =
      lettering.upwards ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", at.x, at.y) : "";
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" "
      "fill=\"{}\"{}{}>{}</text>\n",
      at.x, at.y, lettering.size, lettering.anchor, lettering.color,
      lettering.bold ? R"( font-weight="bold")" : "", turned, escaped(words));
}

std::string Svg::document(double width, double height) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
      "sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width, height, body_);
}

double width_of(std::string_view words, double size) {
  return 0.58 * size * static_cast<double>(words.size());
}

}  // namespace bench
