// SPDX-License-Identifier: BSD-3-Clause
#include <initializer_list>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "support/catch.hpp"

namespace {

heat::CommandLine parse(std::initializer_list<const char*> arguments) {
  std::vector<const char*> argv{"waybill-heat"};
  argv.insert(argv.end(), arguments);
  return heat::parse_command_line(static_cast<int>(argv.size()), argv.data());
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Whether the refusal is one line that names `part`.
bool refused(std::initializer_list<const char*> arguments, const std::string& part) {
  const heat::CommandLine line = parse(arguments);
  INFO(line.refusal);
  CHECK(line.information.empty());
  CHECK_FALSE(contains(line.refusal, "\n"));
  return contains(line.refusal, part);
}

}  // namespace

TEST_CASE("command line: defaults") {
  const heat::CommandLine line = parse({"--input", "a.png"});
  CHECK(line.refusal.empty());
  CHECK(line.information.empty());
  CHECK(line.settings.input == "a.png");
  CHECK(line.settings.output == "heat.png");
  CHECK(line.settings.steps == 300);
  CHECK(line.settings.alpha == 0.2);
  CHECK_FALSE(line.settings.verify);
  CHECK(line.settings.progress == heat::ProgressLine::automatic);
  CHECK(line.settings.mistake == heat::Mistake::none);
}

TEST_CASE("command line: everything given") {
  const heat::CommandLine line =
      parse({"--input=a.png", "--output", "b.png", "--steps", "0", "--alpha", "0.25", "--verify",
             "--progress", "always", "--mistake", "missing-wait"});
  CHECK(line.refusal.empty());
  CHECK(line.settings.output == "b.png");
  CHECK(line.settings.steps == 0);
  CHECK(line.settings.alpha == 0.25);
  CHECK(line.settings.verify);
  CHECK(line.settings.progress == heat::ProgressLine::always);
  CHECK(line.settings.mistake == heat::Mistake::missing_wait);
}

TEST_CASE("command line: wrong values are refused and the allowed ones named") {
  for (const char* steps :
       {"-1", "1.5", "many", "", "0x10", "1000000001", "99999999999999999999"}) {
    CHECK(refused({"--input", "a", "--steps", steps}, "0 to 1000000000"));
  }
  for (const char* alpha : {"0", "-0.1", "0.2500001", "nan", "inf", "1e-400", "0.1x", ""}) {
    CHECK(refused({"--input", "a", "--alpha", alpha}, "at most 0.25"));
  }
  CHECK(refused({"--input", "a", "--progress", "no"}, "auto, always or never"));
  CHECK(refused({"--input", "a", "--mistake", "none"},
                "dropped-handle, early-overwrite, missing-wait, overlapping"));
}

TEST_CASE("command line: missing and unknown arguments are refused") {
  CHECK(refused({}, "--input"));
  CHECK(refused({"--verify"}, "--input"));
  CHECK(refused({"--input"}, "--input"));
  CHECK(refused({"--input", "a", "--frames", "3"}, "--frames"));
  CHECK(refused({"--input", "a", "b"}, "b"));
  CHECK(refused({"--input", "a", "--input", "b"}, "--input"));
}

TEST_CASE("command line: help and version ask for nothing else") {
  const heat::CommandLine help = parse({"--help"});
  CHECK(help.refusal.empty());
  for (const char* option : {"--input", "--output", "--steps", "--alpha", "--verify", "--progress",
                             "--mistake", "Hidden by overlap", "Exit status"}) {
    CHECK(contains(help.information, option));
  }
  CHECK(contains(parse({"--version"}).information, "waybill-heat "));
}

TEST_CASE("mistakes: each has a name and says what to expect") {
  for (const std::string& name : heat::mistake_names()) {
    const auto mistake = heat::mistake_named(name);
    REQUIRE(mistake);
    CHECK(contains(heat::announcement(*mistake), name));
    CHECK(contains(heat::announcement(*mistake), "expect"));
  }
  CHECK(contains(heat::announcement(heat::Mistake::early_overwrite), "`send-buffer-modified`"));
  CHECK(heat::announcement(heat::Mistake::none).empty());
}
