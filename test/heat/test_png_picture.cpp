// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "picture.hpp"
#include "png_file.hpp"
#include "refusal.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using heat::Picture;
using heat::read_picture;
using heat_test::contains;
using heat_test::PngFile;
using test_support::ScratchFolder;

namespace {

Picture read_back(const PngFile& description) {
  const ScratchFolder folder;
  heat_test::write_png(folder.file("picture.png"), description);
  return read_picture(folder.file("picture.png"));
}

std::string refused(const std::string& bytes) {
  const ScratchFolder folder;
  const std::string path = folder.write("picture.png", bytes);
  return heat_test::refusal([&] { static_cast<void>(read_picture(path)); });
}

/// Every value that the depth can hold.
Picture all_levels(int bits) {
  Picture picture;
  picture.width = 256;
  picture.height = bits == 16 ? 256 : 1;
  picture.bits = bits;
  const double white = (1 << bits) - 1;
  for (int level = 0; level < 1 << bits; ++level) picture.cells.push_back(level / white);
  return picture;
}

/// A whole file, to be damaged.
std::string good_bytes() {
  const ScratchFolder folder;
  heat::write_picture(folder.file("picture.png"), all_levels(16));
  return ScratchFolder::read(folder.file("picture.png"));
}

}  // namespace

TEST_CASE("png: what is written is read back exactly") {
  for (const int bits : {8, 16}) {
    const ScratchFolder folder;
    const Picture written = all_levels(bits);
    heat::write_picture(folder.file("picture.png"), written);
    const Picture read = read_picture(folder.file("picture.png"));
    CHECK(read.width == written.width);
    CHECK(read.height == written.height);
    CHECK(read.bits == bits);
    CHECK(read.cells == written.cells);
  }
}

TEST_CASE("png: values outside 0 to 1 are clamped") {
  const ScratchFolder folder;
  const Picture picture{4, 1, 8, {-1, 2, std::nan(""), HUGE_VAL}};
  heat::write_picture(folder.file("picture.png"), picture);
  CHECK(read_picture(folder.file("picture.png")).cells == std::vector<double>{0, 1, 0, 1});
}

TEST_CASE("png: few bits become the full range") {
  CHECK(read_back({.width = 8, .bit_depth = 1, .rows = {0b01010011}}).cells ==
        std::vector<double>{0, 1, 0, 1, 0, 0, 1, 1});
  CHECK(read_back({.width = 2, .bit_depth = 4, .rows = {0x5f}}).cells ==
        std::vector<double>{0x55 / 255.0, 1});
}

TEST_CASE("png: colours become their luminance, alpha is ignored") {
  const Picture color = read_back({.width = 4,
                                   .color_type = PNG_COLOR_TYPE_RGB,
                                   .rows = {255, 0, 0, 0, 255, 0, 0, 0, 255, 90, 90, 90}});
  REQUIRE(color.cells.size() == 4);
  CHECK(std::abs(color.cells[0] + color.cells[1] + color.cells[2] - 1) < 0.01);
  CHECK(color.cells[1] > color.cells[0]);
  CHECK(color.cells[0] > color.cells[2]);
  CHECK(color.cells[3] == 90 / 255.0);
  const Picture clear =
      read_back({.width = 1, .color_type = PNG_COLOR_TYPE_RGB_ALPHA, .rows = {200, 200, 200, 0}});
  CHECK(clear.cells == std::vector<double>{200 / 255.0});
  const Picture gray = read_back({.width = 1,
                                  .bit_depth = 16,
                                  .color_type = PNG_COLOR_TYPE_GRAY_ALPHA,
                                  .rows = {0x12, 0x34, 0, 0}});
  CHECK(gray.bits == 16);
  CHECK(gray.cells == std::vector<double>{0x1234 / 65535.0});
}

TEST_CASE("png: a palette becomes gray") {
  const Picture picture = read_back({.width = 3,
                                     .color_type = PNG_COLOR_TYPE_PALETTE,
                                     .palette = {{7, 7, 7}, {255, 255, 255}, {0, 0, 0}},
                                     .rows = {1, 0, 2}});
  CHECK(picture.cells == std::vector<double>{1, 7 / 255.0, 0});
}

TEST_CASE("png: interlaced pictures are whole") {
  PngFile description{.width = 16, .height = 16, .interlace = PNG_INTERLACE_ADAM7};
  for (int at = 0; at < 256; ++at) description.rows.push_back(static_cast<png_byte>(at));
  const Picture picture = read_back(description);
  REQUIRE(picture.cells.size() == 256);
  for (std::size_t at = 0; at < 256; ++at) {
    if (picture.cells[at] != static_cast<double>(at) / 255.0) FAIL("pixel " << at);
  }
}

TEST_CASE("png: a file cut off anywhere is refused") {
  const std::string whole = good_bytes();
  for (std::size_t length = 2; length < whole.size(); length += length < 64 ? 1 : 997) {
    INFO("cut to " << length << " of " << whole.size() << " bytes");
    CHECK(contains(refused(whole.substr(0, length)), "damaged"));
  }
  CHECK(contains(refused(whole.substr(0, whole.size() - 1)), "damaged"));
}

TEST_CASE("png: a changed byte is refused") {
  const std::string whole = good_bytes();
  for (const std::size_t at : {3U, 12U, 17U, 24U, 29U, 60U, 500U}) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x5a);
    INFO("byte " << at);
    CHECK(contains(refused(changed), "damaged"));
  }
}

TEST_CASE("png: absurd and zero sizes are refused before memory is asked for") {
  // Signature, then an IHDR of the given size with its right CRC.
  const std::string signature("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", 16);
  const std::string huge = signature +
                           std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff\x10\x00\x00\x00\x00", 13) +
                           std::string("\x61\x32\x88\xf9", 4);
  const std::string zero = signature +
                           std::string("\x00\x00\x00\x00\x00\x00\x00\x01\x08\x00\x00\x00\x00", 13) +
                           std::string("\xd5\xbc\xf0\x6b", 4);
  const std::string idat("\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e", 12);
  CHECK(contains(refused(huge + idat), "2147483647 x 2147483647 pixels are more than"));
  CHECK(contains(refused(zero + idat), "damaged"));
}
