// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/suppression_file.hpp"

#include <sys/stat.h>

#include <string>

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using test_support::ScratchFolder;
using waybill::FindingKind;
using waybill::recorder::parse_suppressions;
using waybill::recorder::read_suppressions;
using waybill::recorder::Suppression;
using waybill::recorder::SuppressionFile;

namespace {

std::string error_of(const std::string& text) {
  const SuppressionFile file = parse_suppressions(text, "x.supp");
  CHECK(file.suppressions.empty());
  return file.error;
}

}  // namespace

TEST_CASE("a file of suppressions") {
  const SuppressionFile file = parse_suppressions(
      "# why\n"
      "{\n"
      "   halo exchange, row by row\n"
      "   overlapping-buffers\n"
      "   file:halo*.cpp\n"
      "   # inside as well\n"
      "   function: exchange?\t\n"
      "}\n"
      "\n"
      "{\r\n  all of one library\r\n  *\r\n  function:lib::*\r\n}\r\n"
      "{\nevery dropped handle\ndropped-handle\n}",
      "x.supp");
  CHECK(file.error.empty());
  REQUIRE(file.suppressions.size() == 3);
  const Suppression& first = file.suppressions[0];
  CHECK(first.name == "halo exchange, row by row");
  CHECK(first.kind == FindingKind::overlapping_buffers);
  CHECK(first.file == "halo*.cpp");
  CHECK(first.function == "exchange?");
  const Suppression& second = file.suppressions[1];
  CHECK_FALSE(second.kind);
  CHECK(second.file == "*");
  CHECK(second.function == "lib::*");
  CHECK(file.suppressions[2].kind == FindingKind::dropped_handle);
}

TEST_CASE("no suppressions are no error") {
  CHECK(parse_suppressions("", "x.supp").error.empty());
  CHECK(parse_suppressions("\n# nothing yet\n", "x.supp").error.empty());
}

TEST_CASE("every kind is known") {
  for (std::size_t i = 0; i < waybill::finding_kinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    const SuppressionFile file =
        parse_suppressions(std::string("{\nx\n") + waybill::name(kind) + "\n}\n", "x.supp");
    REQUIRE(file.suppressions.size() == 1);
    CHECK(file.suppressions[0].kind == kind);
  }
}

TEST_CASE("what is wrong is told with its line, and then nothing is suppressed") {
  const std::string good = "{\nfirst\n*\n}\n";
  CHECK(error_of(good + "halo\n") ==
        "x.supp:5: 'halo' is outside of a suppression; '{' begins one");
  CHECK(error_of(good + "\n}\n") == "x.supp:6: '}' is outside of a suppression; '{' begins one");
  CHECK(error_of("{\n}\n") == "x.supp:2: the suppression has no name, which comes first");
  CHECK(error_of("{\nx\n*\n{\n") ==
        "x.supp:4: '{' is not known here; allowed: file:PATTERN, function:PATTERN, }");
  CHECK(error_of("{\nx\n*\nfolder:y\n}\n") ==
        "x.supp:4: 'folder:y' is not known here; allowed: file:PATTERN, function:PATTERN, }");
  CHECK(error_of("{\nx\n*\nfile:\n}\n") == "x.supp:4: 'file:' has no pattern");
  CHECK(error_of("{\nx\n*\nfile:a\nfile:b\n}\n") ==
        "x.supp:5: a second 'file:' in one suppression; write another suppression");
  CHECK(error_of("{\nx\n*\n") == "x.supp:3: the file ends inside a suppression; '}' is missing");
  CHECK(error_of("{\n") == "x.supp:1: the file ends inside a suppression; '}' is missing");
  CHECK_THAT(error_of("{\nx\noverlaping\n}\n"),
             ContainsSubstring("x.supp:3: 'overlaping' is no kind of finding; allowed: *, "
                               "dropped-handle, overlapping-buffers, "));
}

TEST_CASE("an error is one short line, whatever the file holds") {
  const std::string binary(
      "\x7F"
      "ELF\0\1\2\x1B[2J",
      10);
  CHECK(error_of(binary) == "x.supp:1: '?ELF???\?[2' is outside of a suppression; '{' begins one");
  CHECK(error_of(std::string(100000, 'a')).size() < 200);
}

TEST_CASE("files that cannot be read") {
  const ScratchFolder folder;
  CHECK(read_suppressions(folder.file("none")).error ==
        folder.file("none") + " cannot be read: No such file or directory");
  CHECK(read_suppressions(folder.file("")).error ==
        folder.file("") + " cannot be read: Is a directory");
  CHECK(read_suppressions(folder.write("big", std::string((1 << 20) + 1, '#'))).error ==
        folder.file("big") + " is larger than 1 MiB");
  CHECK(read_suppressions(folder.write("good", "{\nx\n*\n}\n")).suppressions.size() == 1);
  CHECK(read_suppressions(folder.write("bad", "x")).error ==
        folder.file("bad") + ":1: 'x' is outside of a suppression; '{' begins one");
}

TEST_CASE("a pipe that nobody writes to is no hang") {
  const ScratchFolder folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(read_suppressions(folder.file("pipe")).suppressions.empty());
}
