// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/junit.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "made_finding.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace waybill;
using recorder::JUnit;
using recorder::name_with_rank;
using recorder::Places;
using recorder::Tally;
using test_support::made_finding;
using test_support::ScratchFolder;

// That a parser of XML reads it is tested in runtime/outlets.

namespace {

constexpr std::array<bool, finding_kinds> basic{true, true, true, true, true, true};

Tally tally_of(std::initializer_list<Finding> findings) {
  Places places;
  for (const Finding& finding : findings) places.add(finding);
  return {1, places.all(), places.elsewhere(), {}};
}

/// What is written for these findings.
std::string written(const ScratchFolder& folder, const Tally& tally) {
  std::string error;
  JUnit junit({folder.file("x.xml"), 1, basic}, error);
  CHECK(error.empty());
  CHECK_FALSE(std::filesystem::exists(folder.file("x-1.xml.part")));
  junit.end(tally);
  CHECK_FALSE(std::filesystem::exists(folder.file("x-1.xml.part")));
  return ScratchFolder::read(folder.file("x-1.xml"));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("the rank is put into the name") {
  CHECK(name_with_rank("results.xml", 3) == "results-3.xml");
  CHECK(name_with_rank("out/results", 12) == "out/results-12");
  CHECK(name_with_rank("/tmp/a.b/results.junit.xml", 0) == "/tmp/a.b/results.junit-0.xml");
  CHECK(name_with_rank("%r", 3) == "3");
  CHECK(name_with_rank("out-%r/rank%r.xml", 3) == "out-3/rank3.xml");
}

TEST_CASE("without findings every watched kind is a test that passed") {
  const ScratchFolder folder;
  const std::string text = written(folder, tally_of({}));
  CHECK_THAT(text, ContainsSubstring("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
  CHECK_THAT(text, ContainsSubstring("tests=\"12\" failures=\"0\" errors=\"0\" skipped=\"6\""));
  CHECK(occurrences(text, "<testcase ") == 12);
  CHECK(occurrences(text, "<skipped ") == 6);
  CHECK(occurrences(text, "<failure ") == 0);
}

TEST_CASE("a kind with findings has failed, also if nobody watches for it") {
  const ScratchFolder folder;
  Tally tally = tally_of({made_finding(FindingKind::overlapping_buffers, 88, 80),
                          made_finding(FindingKind::overlapping_buffers, 90, 80),
                          made_finding(FindingKind::overlapping_buffers, 88, 80),
                          made_finding(FindingKind::send_buffer_modified, 88)});
  tally.elsewhere[static_cast<std::size_t>(FindingKind::truncated)] = 7;
  tally.suppressed = {{"known", 5}};
  const std::string text = written(folder, tally);
  CHECK_THAT(text, ContainsSubstring("tests=\"12\" failures=\"3\" errors=\"0\" skipped=\"5\""));
  CHECK_THAT(text, ContainsSubstring("<property name=\"suppressed\" value=\"5\"/>"));
  CHECK_THAT(text, ContainsSubstring(
                       "<failure type=\"overlapping-buffers\" message=\"3 findings\">\n"
                       "2 x overlapping-buffers at heat.cpp:88 and heat.cpp:80\n  what happened\n"
                       "  to do: what helps\n"
                       "1 x overlapping-buffers at heat.cpp:90 and heat.cpp:80\n"));
  CHECK_THAT(text, ContainsSubstring("type=\"truncated\" message=\"7 findings\""));
  CHECK_THAT(text, ContainsSubstring("type=\"send-buffer-modified\" message=\"1 finding\""));
}

TEST_CASE("each Runtime of the process is a suite in the same file") {
  const ScratchFolder folder;
  CHECK(occurrences(written(folder, tally_of({})), "<testsuite ") == 1);
  const std::string text =
      written(folder, tally_of({made_finding(FindingKind::dropped_handle, 88)}));
  CHECK(occurrences(text, "<testsuite ") == 2);
  CHECK(occurrences(text, "<failure ") == 1);
}

TEST_CASE("a file of an earlier run is removed at the start") {
  const ScratchFolder folder;
  static_cast<void>(folder.write("x-1.xml", "old"));
  std::string error;
  const JUnit junit({folder.file("x.xml"), 1, basic}, error);
  CHECK(error.empty());
  CHECK_FALSE(std::filesystem::exists(folder.file("x-1.xml")));
}

TEST_CASE("a file that cannot be written is one line, and no obstacle") {
  const ScratchFolder folder;
  const std::string file = folder.write("file", "content");
  std::string error;
  JUnit junit({file + "/x.xml", 1, basic}, error);
  CHECK(error == file + "/x-1.xml cannot be written: Not a directory");
  junit.end(tally_of({}));
  CHECK(ScratchFolder::read(file) == "content");

  std::filesystem::create_directory(folder.file("x-1.xml"));
  error.clear();
  const JUnit in_the_way({folder.file("x.xml"), 1, basic}, error);
  CHECK(error == folder.file("x-1.xml") + " cannot be written: Is a directory");
  CHECK_FALSE(std::filesystem::exists(folder.file("x-1.xml.part")));

  error.clear();
  const JUnit odd({folder.file("two\nlines/x.xml"), 1, basic}, error);
  CHECK_FALSE(error.empty());
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("a pipe of that name is no hang") {
  const ScratchFolder folder;
  REQUIRE(::mkfifo(folder.file("x-1.xml.part").c_str(), 0600) == 0);
  std::string error;
  const JUnit junit({folder.file("x.xml"), 1, basic}, error);
  CHECK_FALSE(error.empty());
}
