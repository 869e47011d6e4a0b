// SPDX-License-Identifier: BSD-3-Clause
// PGM as in netpbm's pgm(5).
#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "picture_file.hpp"

namespace heat {

namespace {

class PgmReader {
 public:
  PgmReader(std::FILE* file, const std::string& path) : file_(file), path_(path) {}

  Picture read() {
    std::fgetc(file_);  // 'P'
    const bool binary = std::fgetc(file_) == '5';
    const std::uint64_t width = number("width");
    const std::uint64_t height = number("height");
    maxval_ = number("maxval");
    check_size(path_, width, height);
    if (maxval_ == 0 || maxval_ > 65535) {
      throw unreadable(path_, fmt::format("its maxval {} is not in 1 to 65535", maxval_));
    }
    Picture picture;
    picture.width = width;
    picture.height = height;
    picture.bits = maxval_ > 255 ? 16 : 8;
    for (std::uint64_t row = 0; row < height; ++row) {
      // Grows with what is there, so that a short file never costs the memory of a large one.
      for (std::uint64_t column = 0; column < width; ++column) {
        picture.cells.push_back(level(binary ? sample() : number("sample")));
      }
    }
    return picture;
  }

 private:
  /// The next decimal number after blanks and comments; eats the one character behind it.
  std::uint64_t number(const char* what) {
    int next = std::fgetc(file_);
    while (std::isspace(next) != 0 || next == '#') {
      if (next == '#') {
        while (next != '\n' && next != '\r' && next != EOF) next = std::fgetc(file_);
      } else {
        next = std::fgetc(file_);
      }
    }
    if (next == EOF) throw unreadable(path_, fmt::format("it ends before its {}", what));
    if (std::isdigit(next) == 0) throw unreadable(path_, fmt::format("bad {}", what));
    std::uint64_t value = 0;
    for (; std::isdigit(next) != 0; next = std::fgetc(file_)) {
      if (value < enough) value = value * 10 + static_cast<std::uint64_t>(next - '0');
    }
    if (next != EOF && std::isspace(next) == 0 && next != '#') {
      throw unreadable(path_, fmt::format("bad {}", what));
    }
    if (next == '#') std::ungetc(next, file_);
    return value;
  }

  /// One or two bytes, the most significant first.
  std::uint64_t sample() {
    int value = std::fgetc(file_);
    if (value != EOF && maxval_ > 255) {
      const int low = std::fgetc(file_);
      value = low == EOF ? EOF : value * 256 + low;
    }
    if (value == EOF) throw unreadable(path_, "it ends before its last sample");
    return static_cast<std::uint64_t>(value);
  }

  [[nodiscard]] double level(std::uint64_t sample) const {
    if (sample > maxval_) {
      throw unreadable(path_, fmt::format("a sample {} is above its maxval {}", sample, maxval_));
    }
    return static_cast<double>(sample) / static_cast<double>(maxval_);
  }

  static constexpr std::uint64_t enough = std::uint64_t{1} << 50;  // beyond every valid value

  std::FILE* file_;
  const std::string& path_;
  std::uint64_t maxval_ = 0;
};

}  // namespace

Picture read_pgm(std::FILE* file, const std::string& path) { return PgmReader(file, path).read(); }

}  // namespace heat
