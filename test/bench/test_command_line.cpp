// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <initializer_list>
#include <string>
#include <vector>

#include "catalog.hpp"
#include "support/catch.hpp"

namespace {

bench::CommandLine parse(std::initializer_list<const char*> arguments) {
  std::vector<const char*> argv{"waybill-bench"};
  argv.insert(argv.end(), arguments);
  return bench::parse_command_line(static_cast<int>(argv.size()), argv.data());
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Whether the refusal is one line that names `part`.
bool refused(std::initializer_list<const char*> arguments, const std::string& part) {
  const bench::CommandLine line = parse(arguments);
  INFO(line.refusal);
  CHECK(line.information.empty());
  CHECK_FALSE(contains(line.refusal, "\n"));
  return contains(line.refusal, part);
}

using Sizes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("command line: alone it lists the tests") {
  const bench::CommandLine line = parse({});
  for (const bench::Entry& entry : bench::catalog()) {
    CHECK(contains(line.information, "  " + std::string(entry.name) + " "));
  }
  CHECK(contains(line.information, "  all "));
  CHECK(contains(line.information, "  compare TEST "));
}

TEST_CASE("command line: defaults") {
  const bench::CommandLine line = parse({"latency"});
  CHECK(line.refusal.empty());
  CHECK(line.information.empty());
  CHECK(line.settings.tests == std::vector<std::string>{"latency"});
  CHECK(line.settings.sizes.empty());
  CHECK(line.settings.levels.empty());
  CHECK(line.settings.rounds == 15);
  CHECK(line.settings.only == bench::Only::both);
  CHECK_FALSE(line.settings.compare);
}

TEST_CASE("command line: everything given") {
  const bench::CommandLine line = parse({"rate",
                                         "--sizes",
                                         "8,64KiB",
                                         "--check",
                                         "off,basic",
                                         "--threads",
                                         "3",
                                         "--window",
                                         "1,2",
                                         "--pending",
                                         "0,7",
                                         "--compute",
                                         "3ms",
                                         "--cores",
                                         "shared",
                                         "--responsiveness",
                                         "nap",
                                         "--rounds",
                                         "7",
                                         "--quick",
                                         "--only",
                                         "waybill",
                                         "--thread-level",
                                         "single",
                                         "--json",
                                         "a",
                                         "--plot",
                                         "b"});
  CHECK(line.refusal.empty());
  const bench::Settings& settings = line.settings;
  CHECK(settings.sizes == Sizes{8, 65536});
  CHECK(settings.levels == std::vector<std::string>{"off", "basic"});
  CHECK(settings.threads == Sizes{3});
  CHECK(settings.windows == Sizes{1, 2});
  CHECK(settings.pending == Sizes{0, 7});
  CHECK(settings.compute == std::chrono::milliseconds(3));
  CHECK(settings.cores == bench::Cores::shared);
  CHECK(settings.responsiveness == waybill::Responsiveness::nap);
  CHECK(settings.rounds == 7);
  CHECK(settings.only == bench::Only::waybill);
  CHECK(settings.thread_level == waybill::ThreadLevel::single);
}

TEST_CASE("command line: all, and quick rounds") {
  const bench::CommandLine line = parse({"all", "--quick"});
  CHECK(line.settings.tests.size() == bench::catalog().size());
  CHECK(line.settings.rounds == bench::quick_rounds);
}

TEST_CASE("command line: compare hands on what follows --") {
  const bench::CommandLine line =
      parse({"compare", "latency", "--jobs", "3", "--launcher", "srun -n 2", "--", "--sizes", "8"});
  CHECK(line.refusal.empty());
  CHECK(line.settings.compare);
  CHECK(line.settings.jobs == 3);
  CHECK(line.settings.launcher == "srun -n 2");
  CHECK(line.settings.job_arguments == std::vector<std::string>{"--sizes", "8"});
  CHECK(refused({"compare"}, "needs the name"));
  CHECK(refused({"compare", "all"}, "one test"));
  CHECK(refused({"compare", "none"}, "no test 'none'"));
  CHECK(refused({"compare", "latency", "--quick"}, "after --"));
  CHECK(refused({"compare", "latency", "--launcher", " "}, "--launcher is empty"));
  CHECK(refused({"latency", "--jobs", "3"}, "for compare only"));
}

TEST_CASE("command line: wrong values are refused and the allowed ones named") {
  CHECK(refused({"latenzy"}, "no test 'latenzy'"));
  CHECK(refused({"latency", "idle"}, "one word too many"));
  CHECK(refused({"--quick"}, "no test is given"));
  for (const char* sizes : {"", "x", "8,", "2GiB", "-1"}) {
    CHECK(refused({"latency", "--sizes", sizes}, "1GiB"));
  }
  CHECK(refused({"latency", "--check", "full"}, "off, basic"));
  CHECK(refused({"rate", "--threads", "0"}, "1 to 64"));
  CHECK(refused({"pending", "--pending", "30001"}, "0 to 30000"));
  CHECK(refused({"latency", "--rounds", "0"}, "1 to 1000"));
  CHECK(refused({"overlap", "--compute", "3"}, "such as 3ms"));
  CHECK(refused({"overlap", "--cores", "two"}, "own, shared, launched"));
  CHECK(refused({"latency", "--only", "both"}, "raw, waybill"));
  CHECK(refused({"latency", "--json", "x", "--plot", "x"}, "same file"));
  CHECK(refused({"latency", "--frames", "3"}, "--frames"));
}

TEST_CASE("command line: help and version ask for nothing else") {
  const bench::CommandLine help = parse({"--help"});
  CHECK(help.refusal.empty());
  for (const char* words : {"latency", "--sizes", "--json", "noisy", "compare", "Exit status"}) {
    CHECK(contains(help.information, words));
  }
  CHECK(contains(parse({"--version"}).information, "waybill-bench "));
}
