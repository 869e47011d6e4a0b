// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "picture.hpp"
#include "refusal.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using heat::Picture;
using heat::read_picture;
using heat_test::contains;
using test_support::ScratchFolder;

namespace {

std::string refused(const std::string& bytes) {
  const ScratchFolder folder;
  const std::string path = folder.write("picture.pgm", bytes);
  return heat_test::refusal([&] { static_cast<void>(read_picture(path)); });
}

Picture accepted(const std::string& bytes) {
  const ScratchFolder folder;
  return read_picture(folder.write("picture.pgm", bytes));
}

}  // namespace

TEST_CASE("pgm: plain samples with comments anywhere") {
  const Picture picture =
      accepted("P2 # a comment\n# another 7 7\n3 2#width and height\n10\n0 5 10\n#row\n10 5 0");
  CHECK(picture.width == 3);
  CHECK(picture.height == 2);
  CHECK(picture.bits == 8);
  CHECK(picture.cells == std::vector<double>{0, 0.5, 1, 1, 0.5, 0});
}

TEST_CASE("pgm: binary samples of one byte") {
  const Picture picture = accepted(std::string("P5\n2 2\n255\n\x00\x33\xff\x0a", 15));
  CHECK(picture.bits == 8);
  CHECK(picture.cells == std::vector<double>{0, 0x33 / 255.0, 1, 10 / 255.0});
}

TEST_CASE("pgm: binary samples of two bytes are big-endian") {
  const Picture picture = accepted(std::string("P5 2 1 65535 \x01\x02\xff\xff", 17));
  CHECK(picture.bits == 16);
  CHECK(picture.cells == std::vector<double>{0x0102 / 65535.0, 1});
}

TEST_CASE("pgm: a maxval of 256 needs two bytes") {
  const Picture picture = accepted(std::string("P5 1 1 256 \x01\x00", 13));
  CHECK(picture.bits == 16);
  CHECK(picture.cells == std::vector<double>{1});
}

TEST_CASE("pgm: damaged files are refused with the reason") {
  CHECK(contains(refused("P5"), "ends before its width"));
  CHECK(contains(refused("P5 3"), "ends before its height"));
  CHECK(contains(refused("P5 3 2"), "ends before its maxval"));
  CHECK(contains(refused("P5 three 2 255 "), "bad width"));
  CHECK(contains(refused("P5 3 -2 255 "), "bad height"));
  CHECK(contains(refused("P5 3 2 255x"), "bad maxval"));
  CHECK(contains(refused("P5 3 2 255\n12345"), "ends before its last sample"));
  CHECK(contains(refused("P5 1 1 65535\n1"), "ends before its last sample"));
  CHECK(contains(refused("P2 3 2 255 1 2 3 4 5"), "ends before its sample"));
  CHECK(contains(refused("P2 1 1 255 x"), "bad sample"));
  CHECK(contains(refused("P2 1 1 # never ends"), "ends before its maxval"));
}

TEST_CASE("pgm: values beyond their limits are refused") {
  CHECK(contains(refused("P5 0 2 255 "), "empty"));
  CHECK(contains(refused("P5 2 0 255 "), "empty"));
  CHECK(contains(refused("P5 2 2 0 "), "maxval 0"));
  CHECK(contains(refused("P5 2 2 65536 "), "maxval 65536"));
  CHECK(contains(refused("P2 1 1 9 10"), "sample 10 is above its maxval 9"));
  CHECK(contains(refused("P5 100000 100000 255 "), "more than"));
  CHECK(contains(refused("P5 4294967296 4294967296 255 "), "more than"));
  CHECK(contains(refused("P5 99999999999999999999999999 1 255 "), "more than"));
}

TEST_CASE("pgm: a large size with nothing behind it costs no memory") {
  CHECK(contains(refused("P5 8192 8192 255\n1"), "ends before its last sample"));
}
