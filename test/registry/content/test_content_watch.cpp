// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/content_watch.hpp"

#include <sys/mman.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "registry/footprint.hpp"
#include "registry/kept_findings.hpp"
#include "support/catch.hpp"

using namespace waybill;
using namespace waybill::registry;

namespace {

struct Fixture {
  waybill::test::KeptFindings sink;
  Registry registry{1, 4, sink};
  ContentWatch watch{registry};

  static Record record(Kind kind, void* address, std::size_t bytes) {
    Record made;
    made.footprint = contiguous_footprint(address, bytes);
    made.site = {"src/heat.cpp", "exchange", 88};
    made.sequence = 7;
    made.bytes = bytes;
    made.communicator = "world";
    made.peer = 2;
    made.tag = 3;
    made.kind = kind;
    made.access = kind == Kind::send ? Access::read : Access::write;
    return made;
  }
  static BufferShape shape(void* address, std::size_t bytes) {
    BufferShape made;
    made.address = address;
    made.columns = bytes;
    return made;
  }
  Finding only(FindingKind kind) {
    REQUIRE(sink.findings.size() == 1);
    CHECK(sink.findings[0].kind == kind);
    CHECK(sink.findings[0].site.line == 88);
    const Finding finding = sink.findings[0];
    sink.findings.clear();
    return finding;
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a send buffer that changed is found once, with the byte") {
  for (const std::size_t bytes : {1UL, 64UL, 1024UL, 65536UL}) {
    std::vector<char> buffer(bytes, 'a');
    Record send = record(Kind::send, buffer.data(), bytes);
    const BufferShape given = shape(buffer.data(), bytes);
    CHECK(watch.begin(send, given).address == buffer.data());
    buffer[bytes - 1] = 'b';
    watch.check(send, nullptr);
    const Finding finding = only(FindingKind::send_buffer_modified);
    CHECK(finding.what.find("byte " + std::to_string(bytes - 1) + " of its buffer was changed") !=
          std::string::npos);
    watch.check(send, nullptr);  // told already
    watch.end(send);
    CHECK(sink.findings.empty());

    static_cast<void>(watch.begin(send, given));  // the twin, with the same record
    watch.check(send, nullptr);
    buffer[0] = 'c';  // after the wait
    watch.check(send, nullptr);
    watch.end(send);
    CHECK(sink.findings.empty());
  }
}

TEST_CASE_METHOD(Fixture, "a receive lands in a shadow: what the program writes is found") {
  for (const std::size_t bytes : {1UL, 64UL, 1024UL, 65536UL}) {
    std::vector<char> buffer(bytes, 'a');
    Record receive = record(Kind::receive, buffer.data(), bytes);
    for (const bool touch : {true, false}) {
      std::fill(buffer.begin(), buffer.end(), 'a');
      const BufferShape place = watch.begin(receive, shape(buffer.data(), bytes));
      REQUIRE(place.address != buffer.data());
      std::memset(const_cast<void*>(place.address), 'm', bytes);  // the message
      if (touch) buffer[bytes / 2] = 'x';
      watch.check(receive, nullptr);
      if (touch) {
        CHECK(only(FindingKind::recv_buffer_touched)
                  .what.find("byte " + std::to_string(bytes / 2) + " of its buffer was written") !=
              std::string::npos);
      }
      watch.deliver(receive, bytes);
      watch.end(receive);
      CHECK(buffer == std::vector<char>(bytes, 'm'));
      CHECK(sink.findings.empty());
    }
  }
}

TEST_CASE_METHOD(Fixture, "a receive above the limit lands where it should") {
  std::vector<char> buffer(65537);
  Record receive = record(Kind::receive, buffer.data(), buffer.size());
  const BufferShape place = watch.begin(receive, shape(buffer.data(), buffer.size()));
  CHECK(place.address == buffer.data());
  buffer[5] = 'm';
  watch.check(receive, nullptr);
  watch.deliver(receive, buffer.size());
  watch.end(receive);
  CHECK(buffer[5] == 'm');
  CHECK(sink.findings.empty());
}

TEST_CASE_METHOD(Fixture, "a buffer whose memory is gone is found, and nothing is written there") {
  const std::size_t bytes = 16384;
  for (const Kind kind : {Kind::send, Kind::receive}) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Record gone = record(kind, memory, bytes);
    static_cast<void>(watch.begin(gone, shape(memory, bytes)));
    munmap(memory, bytes);
    watch.check(gone, nullptr);
    watch.deliver(gone, bytes);
    watch.end(gone);
    CHECK(only(FindingKind::buffer_lifetime).what.find("not there any more") != std::string::npos);
  }
}

namespace {

/// Whoever posts from here leaves its buffer in a frame that is gone.
[[gnu::noinline]] Record post_from_the_stack(ContentWatch& watch, Kind kind) {
  char buffer[64] = {};
  Record made = Fixture::record(kind, buffer, sizeof buffer);
  static_cast<void>(watch.begin(made, Fixture::shape(buffer, sizeof buffer)));
  return made;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "a buffer in a frame that has returned is found") {
  for (const Kind kind : {Kind::send, Kind::receive}) {
    Record gone = post_from_the_stack(watch, kind);
    if (gone.footprint.begin > reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) ||
        gone.footprint.begin + (1U << 20U) <
            reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))) {
      return;  // a sanitizer keeps such buffers elsewhere
    }
    watch.check(gone, __builtin_frame_address(0));
    CHECK(only(FindingKind::buffer_lifetime).what.find("lies on the stack") != std::string::npos);
    watch.deliver(gone, 64);  // not into the frames that are there now
    watch.end(gone);
  }
}

TEST_CASE_METHOD(Fixture, "a buffer in a living frame is not, nor one on another thread's stack") {
  char buffer[64] = {};
  Record alive = record(Kind::send, buffer, sizeof buffer);
  static_cast<void>(watch.begin(alive, shape(buffer, sizeof buffer)));
  [&]() __attribute__((noinline)) { watch.check(alive, __builtin_frame_address(0)); }
  ();
  static_cast<void>(watch.begin(alive, shape(buffer, sizeof buffer)));
  std::thread([&] { watch.check(alive, __builtin_frame_address(0)); }).join();
  watch.end(alive);
  CHECK(sink.findings.empty());
}
