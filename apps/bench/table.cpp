// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quantity.hpp"

namespace bench {

namespace {

constexpr std::size_t columns = 8;
using Row = std::array<std::string, columns>;

const Row titles{"variant", "size", "raw", "spread", "waybill", "spread", "ratio", "noisy"};

std::string value(const std::optional<Quartiles>& values) {
  return values ? text_of_value(values->median) : "-";
}

std::string spread(const Result& result, const std::optional<Quartiles>& values) {
  if (!values) return "-";
  if (result.is_share()) return text_of_value(values->high - values->low) + " pt";
  const auto relative = relative_spread(*values);
  return relative ? fmt::format("{:.0f} %", 100 * *relative) : "-";
}

Row row_of(const Result& result) {
  const auto raw = result.raw_quartiles();
  const auto waybill = result.waybill_quartiles();
  const auto ratio = result.ratio_quartiles();
  return {result.variant(),
          result.bytes ? text_of_bytes(*result.bytes) : "-",
          value(raw),
          spread(result, raw),
          value(waybill),
          spread(result, waybill),
          ratio ? fmt::format("{:.2f}", ratio->median) : "-",
          result.noisy() ? "noisy" : ""};
}

std::string title_of(const Result& first) {
  const char* const good = first.better == Better::lower ? "lower" : "higher";
  return fmt::format("{}: {} in {}, {} is better{}\n", first.test, first.quantity, first.unit, good,
                     first.is_share() ? "" : "; ratio = waybill / raw");
}

/// The first column is text, the others are figures; no blanks at the end.
std::string aligned(const std::vector<Row>& rows) {
  std::array<std::size_t, columns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i + 1 < columns; ++i)
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    line += "  " + row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string table_of(const std::vector<Result>& results) {
  std::string text;
  for (const std::vector<Result>& group : by_quantity(results)) {
    std::vector<Row> rows{titles};
    for (const Result& result : group) rows.push_back(row_of(result));
    text += "\n" + title_of(group.front()) + aligned(rows);
  }
  return text;
}

}  // namespace bench
