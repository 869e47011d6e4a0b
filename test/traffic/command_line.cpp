// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <charconv>
#include <string_view>

namespace traffic {

namespace {

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size();
}

bool read_range(std::string_view text, CommandLine& line) {
  const std::size_t dash = text.find('-');
  if (!read(text.substr(0, dash), line.first)) return false;
  line.last = line.first;
  if (dash != std::string_view::npos && !read(text.substr(dash + 1), line.last)) return false;
  return line.first <= line.last;
}

bool read_option(std::string_view name, std::string_view value, CommandLine& line) {
  if (name == "--seeds" || name == "--mutants") {
    line.mutants = name == "--mutants";
    return read_range(value, line);
  }
  if (name == "--limit") return read(value, line.limit_seconds) && line.limit_seconds > 0;
  if (name == "--messages") return read(value, line.size.messages) && line.size.messages > 0;
  if (name == "--threads") {
    return read(value, line.size.threads) && line.size.threads > 0 && line.size.threads <= 64;
  }
  if (name == "--plans-per-runtime") {
    return read(value, line.plans_per_runtime) && line.plans_per_runtime > 0;
  }
  return false;
}

}  // namespace

const char* const usage =
    "use: program-traffic_random [--seeds FIRST-LAST | --mutants FIRST-LAST] [OPTION]...\n"
    "  --seeds      runs the legal program of each seed; any finding or wrong byte is an error\n"
    "  --mutants    puts one known mistake into each, and checks that this is found\n"
    "  --messages   in each program; otherwise the seed decides\n"
    "  --threads    of each rank; otherwise the seed decides\n"
    "  --limit      seconds that one program may take (60)\n"
    "  --plans-per-runtime   legal programs until the Runtime is started anew (25)\n"
    "  --verbose    a line for each program\n"
    "  --show       prints the steps of each program and runs none\n"
    "The level is that of WAYBILL_CHECK.\n";

std::optional<CommandLine> parse(int argc, char** argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--verbose") {
      line.verbose = true;
    } else if (name == "--show") {
      line.show = true;
    } else if (i + 1 == argc || !read_option(name, argv[++i], line)) {
      return std::nullopt;
    }
  }
  return line;
}

}  // namespace traffic
