// SPDX-License-Identifier: BSD-3-Clause
#include "guard/mappings.hpp"

#include <sys/mman.h>

#include "guard/aligned_pages.hpp"
#include "support/catch.hpp"

using waybill::guard::Mappings;
using waybill::guard::Pages;
using waybill::test::AlignedPages;
using waybill::test::page_bytes;

namespace {

Pages part(const AlignedPages& memory, std::size_t first, std::size_t count) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.address(first * page_bytes()));
  return {begin, begin + count * page_bytes()};
}

void check(Mappings& mappings) {
  AlignedPages memory(16);
  REQUIRE(mappings.is_plain(part(memory, 0, 16)));
  REQUIRE(mappings.is_plain(part(memory, 3, 1)));
  mprotect(memory.address(4 * page_bytes()), page_bytes(), PROT_READ);
  mprotect(memory.address(8 * page_bytes()), page_bytes(), PROT_READ | PROT_WRITE | PROT_EXEC);
  munmap(memory.address(12 * page_bytes()), page_bytes());
  REQUIRE(mappings.is_plain(part(memory, 0, 4)));
  REQUIRE(mappings.is_plain(part(memory, 9, 3)));
  for (const std::size_t odd : {4U, 8U, 12U}) {
    REQUIRE_FALSE(mappings.is_plain(part(memory, odd, 1)));
    REQUIRE_FALSE(mappings.is_plain(part(memory, odd - 1, 2)));
    REQUIRE_FALSE(mappings.is_plain(part(memory, odd - 1, 3)));
  }
  int on_stack = 0;
  const auto here = reinterpret_cast<std::uintptr_t>(&on_stack) & ~(page_bytes() - 1);
  REQUIRE(mappings.is_plain({here, here + page_bytes()}));
  static const char constant[] = "constant";
  const auto there = reinterpret_cast<std::uintptr_t>(&constant) & ~(page_bytes() - 1);
  REQUIRE_FALSE(mappings.is_plain({there, there + page_bytes()}));
  REQUIRE_FALSE(mappings.is_plain({0, page_bytes()}));
}

}  // namespace

TEST_CASE("plain memory is told from what is read-only, executable or not there") {
  Mappings mappings;
  check(mappings);
  check(mappings);
}

TEST_CASE("the same without the ioctl") {
  // What was read is remembered until then, so each look at changed memory has a reader of its own.
  AlignedPages memory(4);
  Mappings first;
  first.forget_query();
  REQUIRE(first.is_plain(part(memory, 0, 4)));
  REQUIRE(first.is_plain(part(memory, 1, 2)));  // remembered
  mprotect(memory.address(page_bytes()), page_bytes(), PROT_READ);
  Mappings second;
  second.forget_query();
  REQUIRE_FALSE(second.is_plain(part(memory, 0, 2)));
  REQUIRE_FALSE(second.is_plain(part(memory, 1, 1)));
  REQUIRE(second.is_plain(part(memory, 0, 1)));
  REQUIRE(second.is_plain(part(memory, 2, 2)));
  REQUIRE_FALSE(second.is_plain({0, page_bytes()}));
}
