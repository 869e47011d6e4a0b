// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/safe_file.hpp"

#include <signal.h>
#include <sys/resource.h>

#include "recorder/scratch_folder.hpp"
#include "support/catch.hpp"

using recorder_test::ScratchFolder;
using waybill::recorder::SafeFile;

TEST_CASE("a file appears as a whole, and replaces an earlier one") {
  const ScratchFolder folder;
  SafeFile file(folder.file("record"));
  REQUIRE(file.open());
  const std::string long_text(100'000, 'x');
  file.append(long_text);
  REQUIRE_FALSE(std::filesystem::exists(folder.file("record")));
  file.append('y');
  REQUIRE(file.finish());
  REQUIRE(folder.text("record") == long_text + "y");
  REQUIRE(folder.files() == 1);
  REQUIRE(file.open());
  file.append("short");
  REQUIRE(folder.text("record").size() == 100'001);
  REQUIRE(file.finish());
  REQUIRE(folder.text("record") == "short");
  REQUIRE(folder.files() == 1);
}

TEST_CASE("what is abandoned leaves nothing, and the earlier one in place") {
  const ScratchFolder folder;
  {
    SafeFile file(folder.file("record"));
    REQUIRE(file.open());
    file.append("first");
    REQUIRE(file.finish());
    REQUIRE(file.open());
    file.append(std::string(100'000, 'x'));
    file.abandon();
    file.abandon();
    REQUIRE(folder.files() == 1);
    REQUIRE(file.open());
  }
  REQUIRE(folder.files() == 1);
  REQUIRE(folder.text("record") == "first");
}

TEST_CASE("a folder that is not there is an error, and so is a name that is a folder") {
  const ScratchFolder folder;
  SafeFile nowhere(folder.file("missing/record"));
  REQUIRE_FALSE(nowhere.open());
  REQUIRE(nowhere.error() == ENOENT);
  std::filesystem::create_directory(folder.file("record"));
  SafeFile taken(folder.file("record"));
  REQUIRE(taken.open());
  taken.append("text");
  REQUIRE_FALSE(taken.finish());
  REQUIRE(taken.error() != 0);
  REQUIRE(folder.files() == 1);
}

TEST_CASE("a disk that takes no more leaves no half of a file") {
  const ScratchFolder folder;
  SafeFile file(folder.file("record"));
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto* const handler = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 50'000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const bool opened = file.open();
  file.append(std::string(100'000, 'x'));
  const bool finished = file.finish();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  REQUIRE(opened);
  REQUIRE_FALSE(finished);
  REQUIRE(file.error() == EFBIG);
  REQUIRE(folder.files() == 0);
}
