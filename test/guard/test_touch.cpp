// SPDX-License-Identifier: BSD-3-Clause
#include "guard/touch.hpp"

#include <unistd.h>

#include "guard/aligned_pages.hpp"
#include "support/catch.hpp"

using waybill::FindingKind;
using waybill::guard::finding_of;
using waybill::guard::Touch;
using waybill::guard::Touching;
using waybill::registry::Access;
using waybill::test::record_of;

namespace {

char buffer[100];

Touch touch_of(std::size_t byte, Touching touching) {
  Touch touch;
  touch.address = reinterpret_cast<std::uintptr_t>(buffer) + byte;
  touch.touching = touching;
  touch.thread = 4321;
  return touch;
}

}  // namespace

TEST_CASE("the words of a finding") {
  const auto sent =
      finding_of(2, record_of(Access::read, buffer, 100), touch_of(9, Touching::written));
  REQUIRE(sent.kind == FindingKind::send_buffer_modified);
  REQUIRE(sent.rank == 2);
  REQUIRE(
      sent.what ==
      "isend #7 to rank 1, tag 3, 100 B (heat.cpp:88 in exchange): an unknown instruction wrote "
      "byte 9 while the buffer was in flight (thread 4321, seen by page protection)");
  REQUIRE(sent.advice == "wait() before changing the buffer");

  auto touch = touch_of(4, Touching::written);
  touch.at_watchpoint = true;
  const auto received = finding_of(0, record_of(Access::write, buffer, 100), touch);
  REQUIRE(received.kind == FindingKind::recv_buffer_touched);
  REQUIRE(
      received.what ==
      "irecv #7 from rank 1, tag 3, 100 B (heat.cpp:88 in exchange): an unknown instruction wrote "
      "byte 4 while the buffer was in flight (thread 4321, seen by a watchpoint)");
  REQUIRE(received.advice == "wait() before using the buffer");
}

TEST_CASE("a stack that has grown over the buffer means that its frame is gone") {
  auto touch = touch_of(9, Touching::written);
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer);
  for (const bool over : {true, false}) {
    touch.stack_pointer = over ? begin + 50 : begin - 8;
    const auto finding = finding_of(0, record_of(Access::read, buffer, 100), touch);
    REQUIRE(finding.kind ==
            (over ? FindingKind::buffer_lifetime : FindingKind::send_buffer_modified));
    REQUIRE((finding.what.find("the function that held it has returned") != std::string::npos) ==
            over);
  }
}

TEST_CASE("last words fit into one line, whatever the names") {
  auto record = record_of(Access::write, buffer, 100);
  const std::string long_name(2000, 'x');
  for (const char* file : {"heat.cpp", long_name.c_str()}) {
    record.site.file = file;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    waybill::guard::write_briefly(ends[1], 5, record, touch_of(3, Touching::read));
    close(ends[1]);
    char text[4096];
    const ssize_t got = read(ends[0], text, sizeof text);
    close(ends[0]);
    REQUIRE(got > 0);
    REQUIRE(got <= 512);
    REQUIRE(text[got - 1] == '\n');
    if (file != long_name) {
      REQUIRE(
          std::string(text, static_cast<std::size_t>(got)) ==
          "waybill: recv-buffer-touched on rank 5: irecv #7 (heat.cpp:88): the instruction at 0x0 "
          "read byte 3, thread 4321\n");
    }
  }
}
