// SPDX-License-Identifier: BSD-3-Clause
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "picture.hpp"
#include "refusal.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using heat_test::contains;
using heat_test::refusal;
using test_support::ScratchFolder;

namespace {

std::string read_refused(const std::string& path) {
  return refusal([&] { static_cast<void>(heat::read_picture(path)); });
}

std::string output_refused(const std::string& path, const std::string& input = "") {
  return refusal([&] { heat::check_output(path, input); });
}

const heat::Picture dot{1, 1, 8, {1}};

}  // namespace

TEST_CASE("picture: what is no picture is refused with the reason") {
  const ScratchFolder folder;
  CHECK(contains(read_refused(folder.file("absent.png")), "No such file"));
  CHECK(contains(read_refused(folder.file("")), "directory"));
  CHECK(contains(read_refused(folder.write("empty.png", "")), "neither a PNG nor a PGM"));
  CHECK(contains(read_refused(folder.write("one.png", "P")), "neither a PNG nor a PGM"));
  CHECK(contains(read_refused(folder.write("text.png", "hello")), "neither a PNG nor a PGM"));
  CHECK(contains(read_refused(folder.write("color.ppm", "P6 1 1 255 abc")), "neither"));
}

TEST_CASE("picture: a pipe is refused instead of waited for") {
  const ScratchFolder folder;
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(contains(read_refused(folder.file("pipe")), "not a regular file"));
  CHECK(contains(output_refused(folder.file("pipe")), "not a regular file"));
}

TEST_CASE("picture: an output that cannot be written is refused") {
  const ScratchFolder folder;
  CHECK(contains(output_refused(folder.file("absent/out.png")), "No such file"));
  CHECK(contains(output_refused(folder.file("")), "directory"));
  CHECK(contains(output_refused(""), "No such file"));
  const std::string input = folder.write("in.png", "x");
  CHECK(contains(output_refused(folder.file("./in.png"), input), "input picture"));
  CHECK(contains(refusal([&] { heat::write_picture(folder.file("absent/out.png"), dot); }),
                 "No such file"));
}

TEST_CASE("picture: checking the output changes nothing") {
  const ScratchFolder folder;
  heat::check_output(folder.file("new.png"), "");
  CHECK_FALSE(std::filesystem::exists(folder.file("new.png")));
  const std::string old = folder.write("old.png", "content");
  heat::check_output(old, "");
  CHECK(ScratchFolder::read(old) == "content");
}

TEST_CASE("picture: a full device is reported") {
  if (!std::filesystem::exists("/dev/full")) return;
  CHECK(contains(refusal([] { heat::write_picture("/dev/full", dot); }), "cannot write"));
}
