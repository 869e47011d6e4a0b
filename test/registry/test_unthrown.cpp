// SPDX-License-Identifier: BSD-3-Clause
#include "registry/unthrown.hpp"

#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using waybill::Finding;
using waybill::FindingKind;
using waybill::registry::Thrower;
using waybill::registry::Unthrown;

namespace {

Finding at_line(std::uint32_t line) {
  Finding finding;
  finding.kind = FindingKind::truncated;
  finding.site = {"heat.cpp", "exchange", line};
  return finding;
}

std::uint32_t line_of(const std::optional<Finding>& finding) {
  return finding ? finding->site.line : 0;
}

}  // namespace

TEST_CASE("a thread takes the first of its own, once") {
  Unthrown unthrown;
  CHECK(line_of(unthrown.take()) == 0);
  unthrown.keep(at_line(1), Thrower::this_thread);
  unthrown.keep(at_line(2), Thrower::this_thread);
  std::thread([&] {
    CHECK(line_of(unthrown.take()) == 0);
    unthrown.keep(at_line(3), Thrower::this_thread);
    CHECK(line_of(unthrown.take()) == 3);
  }).join();
  CHECK(line_of(unthrown.take()) == 1);
  CHECK(line_of(unthrown.take()) == 0);
  unthrown.keep(at_line(4), Thrower::this_thread);
  CHECK(line_of(unthrown.take()) == 4);
}

TEST_CASE("what belongs to nobody is taken by anybody, after one's own") {
  Unthrown unthrown;
  std::thread([&] { unthrown.keep(at_line(1), Thrower::any_thread); }).join();
  unthrown.keep(at_line(2), Thrower::this_thread);
  CHECK(line_of(unthrown.take()) == 2);
  CHECK(line_of(unthrown.take()) == 1);
  CHECK(line_of(unthrown.take()) == 0);
}

TEST_CASE("the finding of a thread that ended is left to the end, not to a later thread") {
  Unthrown unthrown;
  std::thread([&] { unthrown.keep(at_line(1), Thrower::this_thread); }).join();
  std::thread([&] { CHECK(line_of(unthrown.take()) == 0); }).join();
  CHECK(line_of(unthrown.take()) == 0);
  CHECK(line_of(unthrown.take_any()) == 1);
  CHECK(line_of(unthrown.take_any()) == 0);
}

TEST_CASE("what another error tells of is forgotten, and nothing else") {
  Unthrown unthrown;
  unthrown.keep(at_line(1), Thrower::this_thread);
  unthrown.forget(FindingKind::truncated, {"heat.cpp", "exchange", 2});
  unthrown.forget(FindingKind::truncated, {"halo.cpp", "exchange", 1});
  unthrown.forget(FindingKind::stalled, {"heat.cpp", "exchange", 1});
  const std::string other_literal = "heat.cpp";
  CHECK(line_of(unthrown.take()) == 1);
  unthrown.keep(at_line(1), Thrower::this_thread);
  unthrown.forget(FindingKind::truncated, {other_literal.c_str(), "exchange", 1});
  CHECK(line_of(unthrown.take()) == 0);
}

TEST_CASE("threads may keep and take at once") {
  Unthrown unthrown;
  std::vector<std::thread> threads;
  for (std::uint32_t number = 1; number <= 4; ++number) {
    threads.emplace_back([&unthrown, number] {
      for (int i = 0; i < 1000; ++i) {
        unthrown.keep(at_line(number), Thrower::this_thread);
        if (line_of(unthrown.take()) != number) std::terminate();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(line_of(unthrown.take_any()) == 0);
}
