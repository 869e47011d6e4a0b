// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/outlets.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "made_finding.hpp"
#include "support/catch.hpp"

using namespace waybill;
using recorder::Outlet;
using recorder::Outlets;
using recorder::Places;
using recorder::Tally;
using test_support::made_finding;

namespace {

/// Writes down what it is told, in order with what others write into the same list.
struct Diary final : Outlet {
  Diary(std::vector<std::string>& shared, std::string name, bool throws = false)
      : lines(shared), my_name(std::move(name)), fails(throws) {}
  void tell(const Finding& finding, const Places::Seen& seen) override {
    lines.push_back(my_name + std::to_string(finding.site.line) + "#" + std::to_string(seen.count));
    if (fails) throw std::runtime_error("no memory, say");
  }
  void end(const Tally& tally) override {
    lines.push_back(my_name + "end" + std::to_string(tally.findings()));
    last = tally;
    if (fails) throw std::runtime_error("no memory, say");
  }
  std::vector<std::string>& lines;
  std::string my_name;
  bool fails;
  static Tally last;
};
Tally Diary::last;

}  // namespace

TEST_CASE("a finding goes to every outlet, then the callback, then the policy") {
  std::vector<std::string> lines;
  Outlets outlets({.suppressions = {},
                   .on_finding = [&](const Finding&) { lines.emplace_back("callback"); },
                   .afterwards = [&](const Finding&) { lines.emplace_back("policy"); }});
  outlets.add(std::make_unique<Diary>(lines, "a"));
  outlets.add(std::make_unique<Diary>(lines, "b"));
  outlets.report(made_finding(FindingKind::dropped_handle, 88));
  outlets.report(made_finding(FindingKind::dropped_handle, 88));
  CHECK(lines == std::vector<std::string>{"a88#1", "b88#1", "callback", "policy", "a88#2", "b88#2",
                                          "callback", "policy"});
  CHECK(outlets.count() == 2);
  CHECK(outlets.count(FindingKind::dropped_handle) == 2);
  CHECK(outlets.count(FindingKind::truncated) == 0);
}

TEST_CASE("what an outlet or the callback throws keeps nothing from the others") {
  std::vector<std::string> lines;
  Outlets outlets({.suppressions = {},
                   .on_finding = [&](const Finding&) { throw std::runtime_error("not yours"); },
                   .afterwards = [&](const Finding&) { lines.emplace_back("policy"); }});
  outlets.add(std::make_unique<Diary>(lines, "a", true));
  outlets.add(std::make_unique<Diary>(lines, "b"));
  outlets.report(made_finding(FindingKind::dropped_handle, 88));
  outlets.end();
  CHECK(lines == std::vector<std::string>{"a88#1", "b88#1", "policy", "aend1", "bend1"});
}

TEST_CASE("a suppressed finding is counted by its suppression and nowhere else") {
  std::vector<std::string> lines;
  Outlets outlets({.rank = 1,
                   .suppressions = {{.name = "unused", .kind = FindingKind::truncated},
                                    {.name = "known", .kind = FindingKind::dropped_handle},
                                    {.name = "also fits, too late", .kind = {}}},
                   .on_finding = [&](const Finding&) { lines.emplace_back("callback"); },
                   .afterwards = [&](const Finding&) { lines.emplace_back("policy"); }});
  outlets.add(std::make_unique<Diary>(lines, "a"));
  outlets.report(made_finding(FindingKind::dropped_handle, 88));
  outlets.report(made_finding(FindingKind::dropped_handle, 90));
  CHECK(lines.empty());
  CHECK(outlets.count() == 0);
  outlets.end();
  CHECK(lines == std::vector<std::string>{"aend0"});
  CHECK(Diary::last.rank == 1);
  CHECK(Diary::last.all_suppressed() == 2);
  REQUIRE(Diary::last.suppressed.size() == 1);
  CHECK(Diary::last.suppressed[0].first == "known");
}

TEST_CASE("the end comes once") {
  std::vector<std::string> lines;
  Outlets outlets({});
  outlets.add(std::make_unique<Diary>(lines, "a"));
  outlets.report(made_finding(FindingKind::dropped_handle, 88));
  outlets.end();
  outlets.end();
  CHECK(lines == std::vector<std::string>{"a88#1", "aend1"});
  CHECK(outlets.count() == 1);
}

TEST_CASE("the callback may ask") {
  std::size_t seen = 0;
  Outlets* self = nullptr;
  Outlets outlets(
      {.suppressions = {}, .on_finding = [&](const Finding&) { seen = self->count(); }});
  self = &outlets;
  outlets.report(made_finding(FindingKind::dropped_handle, 88));
  CHECK(seen == 1);
}

TEST_CASE("threads may report at once") {
  std::atomic<int> calls{0};
  Outlets outlets({.suppressions = {{.name = "even", .kind = {}, .file = "nothing"},
                                    {.name = "known", .kind = FindingKind::truncated}},
                   .on_finding = [&](const Finding&) { ++calls; }});
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < 4; ++number) {
    threads.emplace_back([&outlets, number] {
      for (std::uint32_t i = 0; i < 1000; ++i) {
        outlets.report(made_finding(FindingKind::dropped_handle, i % 5 + number));
        outlets.report(made_finding(FindingKind::truncated, i));
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(calls == 4000);
  CHECK(outlets.count() == 4000);
  CHECK(outlets.count(FindingKind::truncated) == 0);
}
