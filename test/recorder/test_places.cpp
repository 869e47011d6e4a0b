// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/places.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "made_finding.hpp"
#include "support/catch.hpp"

using namespace waybill;
using recorder::Place;
using recorder::Places;
using test_support::made_finding;

TEST_CASE("kind, file and both lines make a place") {
  const Finding first = made_finding(FindingKind::overlapping_buffers, 88, 80);
  Finding elsewhere = first;
  elsewhere.site.file = "lib/heat.cpp";
  const std::string copy_of_name = "src/heat.cpp";
  Finding same = first;
  same.site.file = copy_of_name.c_str();  // another literal with the same text
  Places places;
  for (const Finding& each :
       {first, elsewhere, same, made_finding(FindingKind::overlapping_buffers, 88, 81),
        made_finding(FindingKind::truncated, 88, 80)}) {
    places.add(each);
  }
  const std::vector<Place> all = places.all();
  REQUIRE(all.size() == 4);
  CHECK(all[0].count == 2);
  CHECK(all[0].text() == "overlapping-buffers at heat.cpp:88 and heat.cpp:80");
  CHECK(all[3].text() == "truncated at heat.cpp:88 and heat.cpp:80");
  CHECK(places.count() == 5);
  CHECK(places.count(FindingKind::overlapping_buffers) == 4);
  CHECK(places.count(FindingKind::never_waited) == 0);
}

TEST_CASE("a place counts, and keeps its first finding") {
  Places places;
  Finding finding = made_finding(FindingKind::dropped_handle, 88);
  {
    const std::string name = "unloaded.cpp";
    finding.site.file = name.c_str();
    CHECK(places.add(finding).count == 1);
    finding.what = "another one";
    CHECK(places.add(finding).count == 2);
    CHECK(places.add(made_finding(FindingKind::dropped_handle, 90)).place == 1);
    finding.site.file = "gone";
  }
  const std::vector<Place> all = places.all();
  const Finding again = all[0].finding();
  CHECK(std::string(again.site.file) == "unloaded.cpp");
  CHECK(std::string(again.site.function) == "exchange");
  CHECK(again.site.line == 88);
  CHECK(again.other.line == 0);
  CHECK(again.what == "what happened");
  CHECK(again.advice == "what helps");
}

TEST_CASE("more places than are told apart are counted by kind") {
  Places places;
  const auto most = static_cast<std::uint32_t>(Places::max_places);
  for (std::uint32_t line = 1; line <= most + 10; ++line) {
    const Places::Seen seen = places.add(made_finding(FindingKind::never_waited, line));
    if (line == most) CHECK(seen.place == most - 1);
    if (line == most + 1) CHECK(seen.place == Places::max_places);
  }
  CHECK(places.add(made_finding(FindingKind::never_waited, 1)).place == 0);  // still told apart
  CHECK(places.count() == most + 11);
  CHECK(places.all().size() == most);
  const Places::Counts further = places.elsewhere();
  for (std::size_t kind = 0; kind < finding_kinds; ++kind) {
    const bool is_this = static_cast<FindingKind>(kind) == FindingKind::never_waited;
    CHECK(further[kind] == (is_this ? 10 : 0));
  }
}

TEST_CASE("threads may count at once, and each gets a number of its own") {
  Places places;
  std::vector<std::vector<std::size_t>> numbers(4);
  std::vector<std::thread> threads;
  for (auto& mine : numbers) {
    threads.emplace_back([&places, &mine] {
      for (int i = 0; i < 1000; ++i) {
        mine.push_back(places.add(made_finding(FindingKind::dropped_handle, 88)).count);
        if (places.count() == 0) std::terminate();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  std::vector<bool> seen(4001);
  for (const auto& mine : numbers) {
    for (const std::size_t number : mine) seen.at(number) = true;
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 4000);
}
