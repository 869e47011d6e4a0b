// SPDX-License-Identifier: BSD-3-Clause
#include "guard/guard.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "guard/aligned_pages.hpp"
#include "guard/touches.hpp"
#include "registry/kept_findings.hpp"
#include "support/catch.hpp"

using waybill::FindingKind;
using waybill::guard::Coverage;
using waybill::guard::Guard;
using waybill::guard::Guarded;
using waybill::registry::Access;
using waybill::test::AlignedPages;
using waybill::test::KeptFindings;
using waybill::test::page_bytes;
using waybill::test::read_byte;
using waybill::test::record_of;
using waybill::test::write_byte;

namespace {

std::string text_of(const KeptFindings& sink, std::size_t number = 0) {
  REQUIRE(sink.findings.size() > number);
  return sink.findings[number].what;
}

}  // namespace

TEST_CASE("a write to what is sent is told once, with byte and operation, and is done") {
  KeptFindings sink;
  Guard guard(2, sink);
  AlignedPages pages(8);
  for (const std::size_t byte : {std::size_t{0}, 3 * page_bytes() + 5, 8 * page_bytes() - 1}) {
    sink.findings.clear();
    Guarded* const guarded = guard.protect(record_of(Access::read, pages.address(), pages.size()));
    REQUIRE(guarded != nullptr);
    REQUIRE(Guard::coverage(*guarded).pages == pages.size());
    REQUIRE(Guard::coverage(*guarded).complete());
    REQUIRE(read_byte(pages[byte]) == 0);
    REQUIRE(sink.findings.empty());
    write_byte(pages[byte], 17);
    write_byte(pages[byte], 18);
    REQUIRE(sink.findings.empty());  // told at the release
    REQUIRE(guard.release(guarded));
    REQUIRE(pages[byte] == 18);
    REQUIRE(sink.findings.size() == 1);
    REQUIRE(sink.findings[0].kind == FindingKind::send_buffer_modified);
    REQUIRE(sink.findings[0].rank == 2);
    REQUIRE(sink.findings[0].site.line == 88);
    REQUIRE_THAT(text_of(sink), ContainsSubstring("isend #7 to rank 1, tag 3, 32768 B (32 KiB) "
                                                  "(heat.cpp:88 in exchange)"));
    REQUIRE_THAT(text_of(sink), ContainsSubstring(waybill::test::name_of_write() + " wrote byte " +
                                                  std::to_string(byte)));
    pages[byte] = 0;
  }
}

TEST_CASE("what is received may be neither read nor written") {
  KeptFindings sink;
  Guard guard(0, sink);
  AlignedPages pages(4);
  pages[5000] = 9;
  for (const bool write : {false, true}) {
    Guarded* const guarded = guard.protect(record_of(Access::write, pages.address(), pages.size()));
    REQUIRE(guarded != nullptr);
    if (write) write_byte(pages[5000], 10);
    else REQUIRE(read_byte(pages[5000]) == 9);
    REQUIRE(guard.release(guarded));
    REQUIRE(pages[5000] == (write ? 10 : 9));
  }
  REQUIRE(sink.findings.size() == 2);
  for (const auto& finding : sink.findings)
    REQUIRE(finding.kind == FindingKind::recv_buffer_touched);
  REQUIRE_THAT(text_of(sink, 0), ContainsSubstring("read byte 5000 while"));
  REQUIRE_THAT(text_of(sink, 1), ContainsSubstring("wrote byte 5000 while"));
}

TEST_CASE("the twin: touches before and after, reads of what is sent, and neighbours") {
  KeptFindings sink;
  Guard guard(0, sink);
  AlignedPages pages(6);
  write_byte(pages[page_bytes()], 1);
  Guarded* const sent =
      guard.protect(record_of(Access::read, pages.address(page_bytes()), 2 * page_bytes()));
  Guarded* const received =
      guard.protect(record_of(Access::write, pages.address(4 * page_bytes()), page_bytes()));
  REQUIRE(read_byte(pages[page_bytes()]) == 1);
  for (const std::size_t free : {0U, 3U, 5U}) {
    write_byte(pages[free * page_bytes()], 1);
    write_byte(pages[(free + 1) * page_bytes() - 1], 1);
  }
  REQUIRE_FALSE(guard.release(sent));
  REQUIRE_FALSE(guard.release(received));
  write_byte(pages[page_bytes()], 1);
  write_byte(pages[4 * page_bytes()], 1);
  REQUIRE(sink.findings.empty());
}

TEST_CASE("a touch is told for every operation that forbids it, and for no other") {
  KeptFindings sink;
  Guard guard(0, sink);
  AlignedPages pages(4);
  std::vector<Guarded*> all;
  for (int i = 0; i < 50; ++i) {  // one buffer to many ranks
    auto record = record_of(Access::read, pages.address(), pages.size());
    record.peer = i;
    all.push_back(guard.protect(record));
  }
  all.push_back(guard.protect(record_of(Access::read, pages.address(), page_bytes())));
  all.push_back(guard.protect(record_of(Access::write, pages.address(), page_bytes())));
  for (const Guarded* guarded : all) REQUIRE(guarded != nullptr);
  REQUIRE(read_byte(pages[10]) == 0);  // only the receive minds
  REQUIRE(guard.release(all.back()));
  all.pop_back();
  write_byte(pages[3 * page_bytes()], 1);  // not on the page that is sent alone
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(guard.release(all[i]) == (i != 50));
  REQUIRE(sink.findings.size() == 51);
}

TEST_CASE("operations side by side on neighbouring pages are released in any order") {
  KeptFindings sink;
  Guard guard(0, sink);
  AlignedPages pages(9);
  Guarded* parts[3];
  for (std::size_t i = 0; i < 3; ++i) {
    parts[i] = guard.protect(
        record_of(Access::read, pages.address(3 * i * page_bytes()), 3 * page_bytes()));
  }
  REQUIRE_FALSE(guard.release(parts[1]));
  write_byte(pages[4 * page_bytes()], 1);
  write_byte(pages[7 * page_bytes()], 1);
  REQUIRE_FALSE(guard.release(parts[0]));
  REQUIRE(guard.release(parts[2]));
  REQUIRE(sink.findings.size() == 1);
}

TEST_CASE("bytes beside whole pages are left to the caller, who is told which") {
  KeptFindings sink;
  Guard guard(0, sink, {.watchpoints = false});
  AlignedPages pages(4);
  Guarded* const guarded =
      guard.protect(record_of(Access::write, pages.address(100), 3 * page_bytes()));
  REQUIRE(guarded != nullptr);
  const Coverage coverage = Guard::coverage(*guarded);
  REQUIRE(coverage.head == page_bytes() - 100);
  REQUIRE(coverage.pages == 2 * page_bytes());
  REQUIRE(coverage.tail == 100);
  REQUIRE_FALSE(coverage.head_watched);
  REQUIRE_FALSE(coverage.tail_watched);
  REQUIRE_FALSE(coverage.complete());
  write_byte(pages[200], 1);
  REQUIRE_FALSE(guard.release(guarded));
  REQUIRE(guard.protect(record_of(Access::write, pages.address(100), 300)) == nullptr);
  auto strided = record_of(Access::write, pages.address(), pages.size());
  strided.footprint = waybill::registry::strided_footprint(pages.address(), 2, 100, 5000);
  REQUIRE(guard.protect(strided) == nullptr);
  REQUIRE_FALSE(guard.release(nullptr));
  REQUIRE(guard.counts().pages == 1);
  REQUIRE(guard.counts().unwatched == 2);
  REQUIRE(guard.counts().unprotected == 0);
}

TEST_CASE("read-only memory is sent without being touched") {
  KeptFindings sink;
  std::vector<std::string> said;
  Guard guard(0, sink, {.watchpoints = false, .say = [&](const std::string& text) {
                          said.push_back(text);
                        }});
  AlignedPages table(4);
  mprotect(table.address(page_bytes()), 2 * page_bytes(), PROT_READ);
  REQUIRE(guard.protect(record_of(Access::read, table.address(), table.size())) == nullptr);
  REQUIRE(guard.counts().unprotected == 1);
  REQUIRE(said.empty());  // nobody can write there anyway
  Guarded* const first = guard.protect(record_of(Access::read, table.address(), page_bytes()));
  REQUIRE(first != nullptr);
  guard.release(first);
  waybill::guard::Mappings mappings;
  const auto begin = reinterpret_cast<std::uintptr_t>(table.address(page_bytes()));
  REQUIRE_FALSE(mappings.is_plain({begin, begin + page_bytes()}));
}

TEST_CASE("pages of a stack, of a function that waits and of one that has returned") {
  KeptFindings sink;
  Guard guard(0, sink);
  Guarded* left_behind = nullptr;
  const auto post = [&](bool wait) __attribute__((noinline)) {
    volatile unsigned char data[64 * 1024] = {};
    void* const address = const_cast<unsigned char*>(data);
    Guarded* const guarded = guard.protect(record_of(Access::write, address, sizeof data));
    if (wait) {
      write_byte(data[30'000], 1);
      return guard.release(guarded);
    }
    left_behind = guarded;
    return false;
  };
  const auto call_deeper = []() __attribute__((noinline)) {
    volatile unsigned char data[80 * 1024];
    for (std::size_t i = sizeof data; i-- > 0;) data[i] = 1;
    return data[7];
  };
  std::thread([&] {
    REQUIRE(post(true));
    post(false);
    REQUIRE(call_deeper() == 1);
    REQUIRE(guard.release(left_behind));
  }).join();
  REQUIRE(sink.findings.size() == 2);
  REQUIRE(sink.findings[0].kind == FindingKind::recv_buffer_touched);
}

TEST_CASE("what is left at the guard's end is told and opened") {
  KeptFindings sink;
  AlignedPages pages(2);
  {
    Guard guard(0, sink);
    REQUIRE(guard.protect(record_of(Access::write, pages.address(), pages.size())) != nullptr);
    REQUIRE(guard.protect(record_of(Access::write, pages.address(), page_bytes())) != nullptr);
    write_byte(pages[page_bytes()], 3);
  }
  REQUIRE(sink.findings.size() == 1);
  write_byte(pages[0], 3);
}
