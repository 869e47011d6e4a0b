// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/json_lines.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "hostile.hpp"
#include "made_finding.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace waybill;
using nlohmann::json;
using recorder::JsonLines;
using recorder::Places;
using recorder::Tally;
using test_support::made_finding;
using test_support::ScratchFolder;

namespace {

/// A folder with the file of rank 1 of 4.
struct Told {
  explicit Told(const std::string& folder, int rank = 1)
      : path(folder + "/waybill-findings-" + std::to_string(rank) + ".jsonl"),
        lines(folder, {rank, 4}, error) {}
  void tell(const Finding& finding) { lines.tell(finding, places.add(finding)); }
  void end() { lines.end({1, places.all(), places.elsewhere(), {}}); }
  /// Every line must be complete and an object at any moment.
  [[nodiscard]] std::vector<json> read() const {
    const std::string text = ScratchFolder::read(path);
    CHECK((text.empty() || text.back() == '\n'));
    std::istringstream in(text);
    std::vector<json> objects;
    for (std::string line; std::getline(in, line);) objects.push_back(json::parse(line));
    return objects;
  }
  [[nodiscard]] std::vector<int> counts() const {
    std::vector<int> result;
    for (const json& object : read()) result.push_back(object.at("count"));
    return result;
  }
  std::string error;
  std::string path;
  Places places;
  JsonLines lines;
};

}  // namespace

TEST_CASE("a finding is an object with these members") {
  const ScratchFolder folder;
  Told told(folder.file("reports"));  // made
  CHECK(told.error.empty());
  CHECK(told.read().empty());
  told.tell(made_finding(FindingKind::overlapping_buffers, 88, 80));
  told.tell(made_finding(FindingKind::dropped_handle, 90));
  const std::vector<json> objects = told.read();
  REQUIRE(objects.size() == 2);
  json expected{{"version", 1},
                {"kind", "overlapping-buffers"},
                {"rank", 1},
                {"ranks", 4},
                {"count", 1},
                {"file", "src/heat.cpp"},
                {"line", 88},
                {"function", "exchange"},
                {"other", {{"file", "src/heat.cpp"}, {"line", 80}, {"function", "exchange"}}},
                {"what", "what happened"},
                {"advice", "what helps"}};
  const std::string time = objects[0].at("time");
  CHECK(time.size() == 27);
  CHECK(time.back() == 'Z');
  expected["time"] = time;
  CHECK(objects[0] == expected);
  CHECK(objects[1].at("kind") == "dropped-handle");
  CHECK(objects[1].at("other").is_null());
}

TEST_CASE("every text arrives, whatever its bytes") {
  const ScratchFolder folder;
  Told told(folder.file(""));
  const auto texts = test_support::hostile_texts();
  std::uint32_t line = 0;
  for (const auto& [bytes, expected] : texts) {
    Finding finding = made_finding(FindingKind::dropped_handle, ++line, 1);
    finding.site.file = finding.site.function = bytes.c_str();
    finding.other.file = finding.other.function = bytes.c_str();
    finding.what = finding.advice = bytes;
    told.tell(finding);
  }
  const std::vector<json> objects = told.read();
  REQUIRE(objects.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const char* member : {"file", "function", "what", "advice"}) {
      CHECK(objects[i].at(member) == texts[i].second);
    }
    CHECK(objects[i].at("other").at("file") == texts[i].second);
    CHECK(objects[i].at("other").at("function") == texts[i].second);
  }
}

TEST_CASE("a loop has few lines, whose counts sum up to all findings") {
  const ScratchFolder folder;
  Told told(folder.file(""));
  for (int i = 0; i < 1234; ++i) told.tell(made_finding(FindingKind::dropped_handle, 88));
  CHECK(told.counts() == std::vector<int>{1, 9, 90, 900});
  told.tell(made_finding(FindingKind::dropped_handle, 90));
  told.end();
  CHECK(told.counts() == std::vector<int>{1, 9, 90, 900, 1, 234});
  CHECK(told.read().back().at("line") == 88);
}

TEST_CASE("places that are not told apart are lines without a file at the end") {
  const ScratchFolder folder;
  Told told(folder.file(""));
  told.lines.tell(made_finding(FindingKind::truncated, 88), {Places::max_places, 1});
  CHECK(told.read().empty());
  Tally tally;
  tally.rank = 1;
  tally.elsewhere[static_cast<std::size_t>(FindingKind::truncated)] = 7;
  told.lines.end(tally);
  const std::vector<json> objects = told.read();
  REQUIRE(objects.size() == 1);
  CHECK(objects[0].at("kind") == "truncated");
  CHECK(objects[0].at("rank") == 1);
  CHECK(objects[0].at("count") == 7);
  CHECK(objects[0].at("file") == "");
  CHECK(objects[0].at("line") == 0);
}

TEST_CASE("files of an earlier run are replaced, those of the same process go on") {
  const ScratchFolder folder;
  static_cast<void>(folder.write("waybill-findings-1.jsonl", "of an earlier run\n"));
  for (int runtime = 1; runtime <= 2; ++runtime) {
    Told told(folder.file(""));
    told.tell(made_finding(FindingKind::dropped_handle, 88));
    CHECK(told.read().size() == static_cast<std::size_t>(runtime));
  }
}

TEST_CASE("rank 0 removes files of ranks that the job has not, and nothing else") {
  const ScratchFolder folder;
  const std::vector<std::string> stay{"waybill-findings-3.jsonl",    "waybill-findings-.jsonl",
                                      "waybill-findings-4.jsonl.gz", "waybill-findings-4x.jsonl",
                                      "waybill-findings--4.jsonl",   "my-waybill-findings-4.jsonl"};
  const std::vector<std::string> go{"waybill-findings-4.jsonl", "waybill-findings-1000.jsonl"};
  for (const auto& list : {stay, go}) {
    for (const std::string& name : list) static_cast<void>(folder.write(name, "x\n"));
  }
  const Told other(folder.file(""), 2);
  CHECK(std::filesystem::exists(folder.file(go[0])));
  const Told told(folder.file(""), 0);
  for (const std::string& name : stay) CHECK(std::filesystem::exists(folder.file(name)));
  for (const std::string& name : go) CHECK_FALSE(std::filesystem::exists(folder.file(name)));
}

TEST_CASE("a folder that cannot be used is one line, and no obstacle") {
  const ScratchFolder folder;
  const std::string file = folder.write("file", "content");
  {
    Told told(file);
    CHECK(told.error == file + "/waybill-findings-1.jsonl cannot be written: Not a directory");
    told.tell(made_finding(FindingKind::dropped_handle, 88));
    told.end();
  }
  CHECK(ScratchFolder::read(file) == "content");
  const Told deep(folder.file("not/there"));
  CHECK_THAT(deep.error, ContainsSubstring("No such file or directory"));
  const Told odd(folder.file("two\nlines/x"));
  CHECK(odd.error.find('\n') == std::string::npos);
}

TEST_CASE("a pipe of that name is no hang") {
  const ScratchFolder folder;
  REQUIRE(::mkfifo(folder.file("waybill-findings-1.jsonl").c_str(), 0600) == 0);
  const Told told(folder.file(""));
  CHECK_FALSE(told.error.empty());
}

TEST_CASE("a line that does not fit any more is taken back") {
  const ScratchFolder folder;
  Told told(folder.file(""));
  told.tell(made_finding(FindingKind::dropped_handle, 1));
  const auto size = std::filesystem::file_size(told.path);
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit tight = old;
  tight.rlim_cur = size + 40;  // part of a line fits
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
  told.tell(made_finding(FindingKind::dropped_handle, 2));
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, old_handler);
  told.tell(made_finding(FindingKind::dropped_handle, 3));  // nothing more is written
  CHECK(std::filesystem::file_size(told.path) == size);
  CHECK(told.read().size() == 1);
}

TEST_CASE("threads may tell at once") {
  const ScratchFolder folder;
  Told told(folder.file(""));
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&told] {
      for (std::uint32_t i = 0; i < 1000; ++i) {
        told.tell(made_finding(FindingKind::dropped_handle, i % 3));
      }
    });
  }
  for (std::thread& each : threads) each.join();
  told.end();
  int sum = 0;
  for (const int count : told.counts()) sum += count;
  CHECK(sum == 4000);
}
