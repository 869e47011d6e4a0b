// SPDX-License-Identifier: BSD-3-Clause
#include "guard/page_counts.hpp"

#include <map>
#include <random>
#include <vector>

#include "support/catch.hpp"

using waybill::guard::Access;
using waybill::guard::PageCounts;
using waybill::guard::Pages;
using waybill::guard::Protection;
using waybill::guard::Protector;

namespace {

constexpr std::uintptr_t page = 0x1000;
constexpr std::uintptr_t base = 0x7f0000000000;
constexpr int page_number = 64;

Pages pages(std::uintptr_t first, std::uintptr_t count) {
  return {base + first * page, base + (first + count) * page};
}

/// Keeps what each page is set to, and fails when told to.
struct ModelProtector final : Protector {
  bool set(const Pages& changed, Protection protection) noexcept override {
    ++calls;
    if (fails_in > 0 && --fails_in == 0) return false;
    for (std::uintptr_t at = changed.begin; at < changed.end; at += page) {
      is[(at - base) / page] = protection;
    }
    return true;
  }
  bool is_open(const Pages& asked) noexcept override {
    for (std::uintptr_t at = asked.begin; at < asked.end; at += page) {
      if (is[(at - base) / page] != Protection::open) asked_in_vain = true;
    }
    return !asked.contains(not_plain);
  }

  Protection is[page_number] = {};
  int calls = 0;
  int fails_in = 0;
  bool asked_in_vain = false;
  std::uintptr_t not_plain = 0;
};

struct Held {
  Pages pages;
  Access access;
};

Protection expected(const std::vector<Held>& held, std::uintptr_t address) {
  Protection strictest = Protection::open;
  for (const Held& one : held) {
    if (!one.pages.contains(address)) continue;
    if (one.access == Access::write) return Protection::closed;
    strictest = Protection::read_only;
  }
  return strictest;
}

}  // namespace

TEST_CASE("the strictest holder decides, and each run of pages takes one call") {
  ModelProtector protector;
  PageCounts counts(protector, *std::pmr::new_delete_resource());
  REQUIRE(counts.add(pages(0, 60), Access::read));
  REQUIRE(protector.calls == 1);
  REQUIRE(counts.add(pages(10, 20), Access::write));
  REQUIRE(protector.calls == 2);
  REQUIRE(counts.add(pages(5, 50), Access::read));
  REQUIRE(protector.calls == 2);  // nothing changes
  counts.remove(pages(0, 60), Access::read);
  REQUIRE(protector.calls == 4);  // the pages on both sides
  REQUIRE(counts.at(base + 4 * page) == Protection::open);
  REQUIRE(counts.at(base + 5 * page) == Protection::read_only);
  REQUIRE(counts.at(base + 10 * page) == Protection::closed);
  REQUIRE(counts.at(base + 30 * page) == Protection::read_only);
  REQUIRE(counts.at(base + 55 * page) == Protection::open);
  counts.remove(pages(10, 20), Access::write);
  REQUIRE(protector.is[15] == Protection::read_only);
  counts.remove(pages(5, 50), Access::read);
  REQUIRE(counts.empty());
  REQUIRE(protector.is[15] == Protection::open);
}

TEST_CASE("what is not plain memory, or empty, is refused and left alone") {
  ModelProtector protector;
  PageCounts counts(protector, *std::pmr::new_delete_resource());
  protector.not_plain = base + 7 * page;
  REQUIRE_FALSE(counts.add(pages(0, 10), Access::read));
  REQUIRE_FALSE(counts.add(pages(3, 0), Access::read));
  REQUIRE(counts.empty());
  REQUIRE(protector.calls == 0);
  REQUIRE(counts.add(pages(0, 7), Access::read));
  REQUIRE_FALSE(counts.add(pages(5, 5), Access::write));  // its second part is not plain
  REQUIRE(protector.is[6] == Protection::read_only);
}

TEST_CASE("a call that fails is undone; if that fails too, nobody is protected there") {
  ModelProtector protector;
  PageCounts counts(protector, *std::pmr::new_delete_resource());
  protector.fails_in = 1;
  REQUIRE_FALSE(counts.add(pages(0, 10), Access::read));
  REQUIRE(counts.empty());

  REQUIRE(counts.add(pages(0, 4), Access::read));
  REQUIRE(counts.add(pages(4, 4), Access::read));
  REQUIRE(counts.add(pages(8, 4), Access::read));
  REQUIRE(counts.add(pages(20, 4), Access::read));
  protector.fails_in = 1;
  counts.remove(pages(4, 4), Access::read);  // would split a mapping
  for (int i = 0; i < 12; ++i) REQUIRE(protector.is[i] == Protection::open);
  REQUIRE(protector.is[20] == Protection::read_only);
  REQUIRE(counts.at(base) == Protection::open);
  REQUIRE_FALSE(counts.add(pages(2, 1), Access::write));
  counts.remove(pages(0, 4), Access::read);
  counts.remove(pages(8, 4), Access::read);
  REQUIRE(counts.add(pages(2, 1), Access::write));  // forgiven once nobody holds it
  REQUIRE(protector.is[2] == Protection::closed);
}

TEST_CASE("10,000 random steps agree with a model that looks at each page") {
  ModelProtector protector;
  PageCounts counts(protector, *std::pmr::new_delete_resource());
  std::mt19937 random(42);
  std::vector<Held> held;
  for (int step = 0; step < 10'000; ++step) {
    if (held.size() < 12 && random() % 2 == 0) {
      const auto first = random() % page_number;
      const Held one{pages(first, 1 + random() % (page_number - first)),
                     random() % 3 == 0 ? Access::write : Access::read};
      REQUIRE(counts.add(one.pages, one.access));
      held.push_back(one);
    } else if (!held.empty()) {
      const auto which = random() % held.size();
      counts.remove(held[which].pages, held[which].access);
      held[which] = held.back();
      held.pop_back();
    }
    for (std::uintptr_t i = 0; i < page_number; ++i) {
      if (counts.at(base + i * page) != expected(held, base + i * page)) FAIL("counts, " << step);
      if (protector.is[i] != expected(held, base + i * page)) FAIL("calls, " << step);
    }
  }
  REQUIRE_FALSE(protector.asked_in_vain);
  for (const Held& one : held) counts.remove(one.pages, one.access);
  REQUIRE(counts.empty());
}
