// SPDX-License-Identifier: BSD-3-Clause
#include "guard/guard.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "guard/aligned_pages.hpp"
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
using waybill::test::record_of;

namespace {

#line 100 "toucher.cpp"
[[gnu::noinline]] void write_byte(volatile unsigned char& byte, unsigned char value) {
  byte = value;
}
#line 200 "toucher.cpp"
[[gnu::noinline]] unsigned char read_byte(const volatile unsigned char& byte) { return byte; }
#line 32 "test_guard.cpp"

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
    REQUIRE_THAT(text_of(sink), ContainsSubstring("write_byte (toucher.cpp:101) wrote byte " + std::to_string(byte)));
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
  for (const auto& finding : sink.findings) REQUIRE(finding.kind == FindingKind::recv_buffer_touched);
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
