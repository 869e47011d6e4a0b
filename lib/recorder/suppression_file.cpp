// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/suppression_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "recorder/one_line.hpp"

namespace waybill::recorder {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20;

std::string_view trim(std::string_view line) noexcept {
  constexpr std::string_view blank = " \t\r\v\f";
  const std::size_t begin = line.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blank) - begin + 1);
}

/// As much of a line as a message should quote.
std::string_view head(std::string_view line) noexcept { return line.substr(0, 60); }

std::optional<FindingKind> kind_of(std::string_view word) noexcept {
  for (std::size_t i = 0; i < finding_kinds; ++i) {
    if (word == name(static_cast<FindingKind>(i))) return static_cast<FindingKind>(i);
  }
  return {};
}

std::string all_kinds() {
  std::string list = "*";
  for (std::size_t i = 0; i < finding_kinds; ++i) {
    list += fmt::format(", {}", name(static_cast<FindingKind>(i)));
  }
  return list;
}

/// Reads line by line; what is wrong with one comes back as text.
class Parser {
 public:
  /// A line without blanks around it that is neither empty nor a comment.
  std::string take(std::string_view line) {
    switch (state_) {
      case State::outside: return open(line);
      case State::named: return take_name(line);
      case State::kind: return take_kind(line);
      case State::places: break;
    }
    return line == "}" ? close() : take_place(line);
  }

  std::string end() const {
    return state_ == State::outside ? "" : "the file ends inside a suppression; '}' is missing";
  }

  std::vector<Suppression> suppressions;

 private:
  enum class State { outside, named, kind, places };

  std::string open(std::string_view line) {
    if (line != "{")
      return fmt::format("'{}' is outside of a suppression; '{{' begins one", head(line));
    state_ = State::named;
    current_ = {};
    has_file_ = has_function_ = false;
    return {};
  }

  std::string take_name(std::string_view line) {
    if (line == "}" || line == "{") return "the suppression has no name, which comes first";
    current_.name = line;
    state_ = State::kind;
    return {};
  }

  std::string take_kind(std::string_view line) {
    current_.kind = kind_of(line);
    if (!current_.kind && line != "*") {
      return fmt::format("'{}' is no kind of finding; allowed: {}", head(line), all_kinds());
    }
    state_ = State::places;
    return {};
  }

  std::string take_place(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    const bool is_file = key == "file";
    if (colon == std::string_view::npos || (!is_file && key != "function")) {
      return fmt::format("'{}' is not known here; allowed: file:PATTERN, function:PATTERN, }}",
                         head(line));
    }
    const std::string_view pattern = trim(line.substr(colon + 1));
    if (pattern.empty()) return fmt::format("'{}' has no pattern", head(line));
    if (std::exchange(is_file ? has_file_ : has_function_, true)) {
      return fmt::format("a second '{}:' in one suppression; write another suppression", key);
    }
    (is_file ? current_.file : current_.function) = pattern;
    return {};
  }

  std::string close() {
    suppressions.push_back(std::move(current_));
    state_ = State::outside;
    return {};
  }

  State state_ = State::outside;
  Suppression current_;
  bool has_file_ = false;
  bool has_function_ = false;
};

/// The content, or false with errno.
bool read_all(const std::string& path, std::string& text) {
  // without O_NONBLOCK a pipe nobody writes to would never open
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  char piece[4096];
  ssize_t size = 0;
  while (text.size() <= largest_file) {
    size = ::read(file, piece, sizeof piece);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(piece, static_cast<std::size_t>(size));
  }
  const int reason = errno;
  ::close(file);
  errno = reason;
  return size >= 0;
}

}  // namespace

SuppressionFile parse_suppressions(std::string_view text, const std::string& name) {
  Parser parser;
  std::size_t number = 0;
  std::string wrong;
  while (!text.empty() && wrong.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (!line.empty() && line[0] != '#') wrong = parser.take(line);
  }
  if (wrong.empty()) wrong = parser.end();
  if (wrong.empty()) return {std::move(parser.suppressions), {}};
  return {{}, one_line(fmt::format("{}:{}: {}", name, number, wrong))};
}

SuppressionFile read_suppressions(const std::string& path) {
  std::string text;
  if (!read_all(path, text)) {
    return {{}, one_line(fmt::format("{} cannot be read: {}", path, std::strerror(errno)))};
  }
  if (text.size() > largest_file) {
    return {{}, one_line(fmt::format("{} is larger than 1 MiB", path))};
  }
  return parse_suppressions(text, path);
}

}  // namespace waybill::recorder
