// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/settings.hpp"

#include <cstdlib>

#include "support/catch.hpp"
#include "waybill/error.hpp"

using namespace std::chrono_literals;
using waybill::Options;
using waybill::runtime::resolve;
using waybill::runtime::Settings;

namespace {

/// A variable for the length of a scope.
struct Variable {
  Variable(const char* variable, const char* value) : name(variable) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name); }
  const char* name;
};

const waybill::Setting& find(const Settings& settings, const std::string& variable) {
  for (const auto& setting : settings.list) {
    if (setting.variable == variable) return setting;
  }
  FAIL("no setting " << variable);
  return settings.list.front();
}

}  // namespace

TEST_CASE("defaults, the program, the environment: the last one wins and is named") {
  REQUIRE(find(resolve({}), "WAYBILL_CHECK").origin == "default");
  Options program;
  program.check = waybill::Check::off;
  program.shutdown_timeout = 250ms;
  Settings settings = resolve(program);
  REQUIRE(settings.options.check == waybill::Check::off);
  REQUIRE(find(settings, "WAYBILL_CHECK").origin == "program");
  REQUIRE(find(settings, "WAYBILL_SHUTDOWN_TIMEOUT").value == "250ms");
  const Variable check("WAYBILL_CHECK", "basic");
  const Variable timeout("WAYBILL_SHUTDOWN_TIMEOUT", "7");
  settings = resolve(program);
  REQUIRE(settings.options.check == waybill::Check::basic);
  REQUIRE(settings.options.shutdown_timeout == 7s);
  REQUIRE(find(settings, "WAYBILL_CHECK").origin == "environment");
  REQUIRE(settings.environment_error.empty());
}

TEST_CASE("every word that is listed as allowed is known") {
  for (const auto& setting : resolve({}).list) {
    if (setting.variable.ends_with("_TIMEOUT")) continue;
    if (setting.allowed.find("bytes, ") != std::string::npos) continue;  // numbers
    if (setting.variable == "WAYBILL_RECORDER") continue;
    std::size_t begin = 0;
    while (begin < setting.allowed.size()) {
      const std::size_t end = std::min(setting.allowed.find(", ", begin), setting.allowed.size());
      const std::string word = setting.allowed.substr(begin, end - begin);
      const Variable variable(setting.variable.c_str(), word.c_str());
      const Settings settings = resolve({});
      REQUIRE(settings.environment_error.empty());
      REQUIRE(find(settings, setting.variable).value == word);
      begin = end + 2;
    }
  }
}

TEST_CASE("the recorder takes words and a number within bounds") {
  const auto read = [](const char* value) {
    const Variable variable("WAYBILL_RECORDER", value);
    return resolve({});
  };
  CHECK_FALSE(resolve({}).options.recorder_entries);
  CHECK(read("off").options.recorder_entries == 0);
  CHECK(read("64").options.recorder_entries == 64);
  CHECK(find(read("65536"), "WAYBILL_RECORDER").value == "65536");
  Options program;
  program.recorder_entries = 1000;
  CHECK(find(resolve(program), "WAYBILL_RECORDER").value == "1000");
  {
    const Variable variable("WAYBILL_RECORDER", "auto");
    CHECK_FALSE(resolve(program).options.recorder_entries);
  }
  for (const char* bad : {"0", "63", "65537", "-1", "64x", "on", "99999999999999999999"}) {
    CHECK(read(bad).environment_error ==
          std::string("WAYBILL_RECORDER=") + bad +
              " is not a known value; allowed: auto, off, or a number of events from 64 to 65536");
  }
  program.recorder_entries = 63;
  CHECK_THROWS_AS(resolve(program), waybill::Error);
}

TEST_CASE("a path is taken as it is, and shown in one line") {
  REQUIRE(find(resolve({}), "WAYBILL_REPORT_DIR").value.empty());
  const Variable folder("WAYBILL_REPORT_DIR", "a, b\n%r");
  const Settings settings = resolve({});
  REQUIRE(settings.options.report_directory == "a, b\n%r");
  REQUIRE(find(settings, "WAYBILL_REPORT_DIR").value == "a, b?%r");
  REQUIRE(find(settings, "WAYBILL_REPORT_DIR").origin == "environment");
  REQUIRE(settings.environment_error.empty());
}

TEST_CASE("a bad value names the allowed ones; an empty one counts as not set") {
  {
    const Variable bad("WAYBILL_PROGRESS", "fast");
    REQUIRE(resolve({}).environment_error ==
            "WAYBILL_PROGRESS=fast is not a known value; allowed: thread, inline");
  }
  {
    const Variable lines("WAYBILL_WAIT", "a\nb");
    REQUIRE(resolve({}).environment_error.find('\n') == std::string::npos);
  }
  const Variable empty("WAYBILL_PROGRESS", "");
  REQUIRE(resolve({}).environment_error.empty());
}

TEST_CASE("sizes come from the environment") {
  const Variable limit("WAYBILL_SHADOW_LIMIT", "1MiB");
  {
    const Variable sample("WAYBILL_SAMPLE", "2MiB");
    const Settings settings = resolve({});
    REQUIRE(settings.environment_error.empty());
    REQUIRE(settings.options.shadow_limit == std::size_t{1} << 20U);
    REQUIRE(settings.options.sample == std::size_t{2} << 20U);
    REQUIRE(find(settings, "WAYBILL_SAMPLE").value == "2MiB");
  }
  {
    const Variable all("WAYBILL_SAMPLE", "all");
    REQUIRE(resolve({}).options.sample == 0);
  }
  const Variable nothing("WAYBILL_SAMPLE", "0");
  REQUIRE_FALSE(resolve({}).environment_error.empty());
}

TEST_CASE("a misspelt variable is told, the build's own are not") {
  const Variable wrong("WAYBILL_CHEK", "off");
  const Variable build("WAYBILL_BUILD_DIR", "x");
  const Variable test("WAYBILL_TEST_BIG", "1");
  const Settings settings = resolve({});
  REQUIRE(settings.unknown_variables.size() == 1);
  REQUIRE_THAT(settings.unknown_variables[0], ContainsSubstring("WAYBILL_CHEK is not a setting"));
}

TEST_CASE("options that make no sense are the program's mistake") {
  Options options;
  options.shutdown_timeout = -1ms;
  REQUIRE_THROWS_AS(resolve(options), waybill::Error);
  options = {};
  options.check = static_cast<waybill::Check>(99);
  REQUIRE_THROWS_AS(resolve(options), waybill::Error);
}
