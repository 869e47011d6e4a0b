// SPDX-License-Identifier: BSD-3-Clause
#include "registry/registry.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "registry/footprint.hpp"
#include "registry/kept_findings.hpp"
#include "support/catch.hpp"

using namespace waybill;
using namespace waybill::registry;

namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

Record operation(Kind kind, std::uint64_t sequence, std::uint32_t line, Footprint footprint) {
  Record made;
  made.footprint = std::move(footprint);
  made.site = {"src/heat.cpp", "exchange", line};
  made.sequence = sequence;
  made.bytes = 64;
  made.communicator = "world";
  made.peer = 0;
  made.tag = 3;
  made.kind = kind;
  made.access = kind == Kind::send ? Access::read : Access::write;
  return made;
}

Record isend(std::uint64_t sequence, std::uint32_t line, Footprint footprint = {}) {
  return operation(Kind::send, sequence, line, std::move(footprint));
}
Record irecv(std::uint64_t sequence, std::uint32_t line, Footprint footprint = {}) {
  return operation(Kind::receive, sequence, line, std::move(footprint));
}

/// A registry of rank 1 of 4.
struct Fixture {
  waybill::test::KeptFindings sink;
  Registry registry{1, 4, sink};

  const Finding& only(FindingKind kind) {
    REQUIRE(sink.findings.size() == 1);
    CHECK(sink.findings[0].kind == kind);
    CHECK(sink.findings[0].rank == 1);
    CHECK(std::string(sink.findings[0].site.file) == "src/heat.cpp");
    CHECK_FALSE(sink.findings[0].advice.empty());
    return sink.findings[0];
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "overlapping buffers name both posts and the bytes") {
  Record first = irecv(7, 88, contiguous_footprint(at(0x1000), 64));
  Record second = irecv(9, 90, contiguous_footprint(at(0x1020), 64));
  registry.post(first);
  CHECK(sink.findings.empty());
  registry.post(second);
  const Finding& finding = only(FindingKind::overlapping_buffers);
  CHECK(finding.site.line == 90);
  CHECK(finding.other.line == 88);
  CHECK(finding.what ==
        "irecv #9 from rank 0, tag 3, 64 B (heat.cpp:90 in exchange) shares memory with "
        "irecv #7 from rank 0, tag 3, 64 B (heat.cpp:88 in exchange), which is still in flight: "
        "32 B are shared, from byte 0 of this buffer and byte 32 of the other");
  registry.release(first);
  registry.release(second);
}

TEST_CASE_METHOD(Fixture, "a send of memory that is being received, and the other way round") {
  Record receive = irecv(1, 10, contiguous_footprint(at(0x1000), 64));
  Record send = isend(2, 11, contiguous_footprint(at(0x1000), 64));
  registry.post(receive);
  registry.post(send);
  CHECK(only(FindingKind::overlapping_buffers).site.line == 11);
  registry.release(receive);
  registry.post(receive);
  REQUIRE(sink.findings.size() == 2);
  CHECK(sink.findings[1].site.line == 10);
  CHECK(sink.findings[1].other.line == 11);
  registry.release(receive);
  registry.release(send);
}

TEST_CASE_METHOD(Fixture, "a column that crosses a row names a common byte") {
  Record row = irecv(1, 10, contiguous_footprint(at(0x1000 + 2 * 800), 800));
  Record column = irecv(2, 11, strided_footprint(at(0x1000 + 24), 100, 8, 800));
  registry.post(row);
  registry.post(column);
  const std::string& what = only(FindingKind::overlapping_buffers).what;
  CHECK(what.find("byte 1600 of this buffer is byte 24 of the other") != std::string::npos);
  registry.release(row);
  registry.release(column);
}

TEST_CASE_METHOD(Fixture, "correct neighbours of an overlap are silent") {
  Record records[] = {
      isend(1, 10, contiguous_footprint(at(0x1000), 64)),
      isend(2, 11, contiguous_footprint(at(0x1000), 64)),         // read and read
      irecv(3, 12, contiguous_footprint(at(0x1040), 64)),         // adjacent
      irecv(4, 13, strided_footprint(at(0x10000), 100, 8, 800)),  // a column
      irecv(5, 14, strided_footprint(at(0x10008), 100, 8, 800)),  // the next one
      irecv(6, 15),                                               // no bytes
  };
  for (Record& record : records) registry.post(record);
  for (Record& record : records) registry.release(record);
  Record reuse = irecv(7, 16, contiguous_footprint(at(0x1000), 64));  // after completion
  registry.post(reuse);
  registry.release(reuse);
  CHECK(sink.findings.empty());
}

TEST_CASE_METHOD(Fixture, "a dropped handle says what becomes of the message") {
  SECTION("a send in flight") {
    registry.dropped(isend(12, 88), false, false);
    CHECK(only(FindingKind::dropped_handle).what ==
          "isend #12 to rank 0, tag 3, 64 B (heat.cpp:88 in exchange): the handle was destroyed "
          "before anybody waited; the message still goes");
    CHECK(sink.findings[0].advice == "keep the Work and wait() for it, or detach() it");
    CHECK(sink.findings[0].site.line == 88);
    CHECK(sink.findings[0].other.line == 0);
  }
  SECTION("a receive in flight") {
    registry.dropped(irecv(12, 88), false, false);
    CHECK(only(FindingKind::dropped_handle).what ==
          "irecv #12 from rank 0, tag 3, 64 B (heat.cpp:88 in exchange): the handle was destroyed "
          "before anybody waited; the message will still be written into the buffer");
  }
  SECTION("complete") {
    registry.dropped(isend(12, 88), true, false);
    CHECK(only(FindingKind::dropped_handle).what ==
          "isend #12 to rank 0, tag 3, 64 B (heat.cpp:88 in exchange): the handle was destroyed "
          "before anybody waited; the operation had completed, but nobody had looked");
  }
  SECTION("by an exception") {
    registry.dropped(isend(12, 88), false, true);
    CHECK(only(FindingKind::dropped_handle).what ==
          "isend #12 to rank 0, tag 3, 64 B (heat.cpp:88 in exchange): the handle was destroyed "
          "by an exception before anybody waited; the message still goes");
  }
}

TEST_CASE_METHOD(Fixture, "never waited") {
  registry.never_waited(isend(12, 88));
  CHECK(only(FindingKind::never_waited).what ==
        "isend #12 to rank 0, tag 3, 64 B (heat.cpp:88 in exchange): it completed, but nobody "
        "waited for it or tested it");
}

TEST_CASE_METHOD(Fixture, "unfinished at shutdown") {
  SECTION("drained") {
    registry.unfinished(isend(12, 88), true, false);
    CHECK(only(FindingKind::unfinished_at_shutdown).what ==
          "isend #12 to rank 0, tag 3, 64 B (heat.cpp:88 in exchange): it was in flight when "
          "shutdown began and completed only while shutdown waited");
  }
  SECTION("not complete within the bound, and nobody could have waited") {
    registry.unfinished(irecv(12, 88), false, true);
    CHECK(only(FindingKind::unfinished_at_shutdown).what ==
          "irecv #12 from rank 0, tag 3, 64 B (heat.cpp:88 in exchange): it did not complete "
          "within the time that shutdown waits; its handle had been dropped or detached");
    CHECK(sink.findings[0].advice == "check that the peer sends a message with this tag");
  }
}

TEST_CASE_METHOD(Fixture, "truncated names both sizes") {
  Record record = irecv(7, 88);
  record.bytes = 32;
  SECTION("the size of the message is known") {
    registry.truncated(record, 0, 3, 64);
    CHECK(only(FindingKind::truncated).what ==
          "irecv #7 (heat.cpp:88 in exchange): rank 0 sent 64 B with tag 3, the buffer holds 32 B");
    CHECK(sink.findings[0].advice == "make the buffer large enough or send less");
  }
  SECTION("it is not") {
    registry.truncated(record, 0, 3, std::nullopt);
    CHECK(only(FindingKind::truncated).what ==
          "irecv #7 (heat.cpp:88 in exchange): rank 0 sent a longer message with tag 3, the buffer "
          "holds 32 B");
  }
  SECTION("nor is the sender") {
    registry.truncated(record, -1, -1, std::nullopt);
    CHECK(only(FindingKind::truncated).what ==
          "irecv #7 (heat.cpp:88 in exchange): somebody sent a longer message, the buffer holds "
          "32 B");
  }
}

TEST_CASE_METHOD(Fixture, "a short message names both sizes") {
  registry.short_message(irecv(7, 88), 2, 5, 16);
  CHECK(only(FindingKind::short_message).what ==
        "irecv #7 (heat.cpp:88 in exchange): rank 2 sent 16 B with tag 5, the buffer holds 64 B; "
        "the rest kept its old contents and nobody asked for the size");
}
