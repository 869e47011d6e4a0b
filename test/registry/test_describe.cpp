// SPDX-License-Identifier: BSD-3-Clause
#include "registry/describe.hpp"

#include <optional>

#include "support/catch.hpp"

using namespace waybill::registry;
using waybill::PostingSite;

namespace {

Record send() {
  Record made;
  made.site = {"/home/user/src/heat.cpp", "exchange", 88};
  made.sequence = 12;
  made.bytes = 64;
  made.communicator = "world";
  made.peer = 1;
  made.tag = 3;
  made.kind = Kind::send;
  return made;
}

}  // namespace

TEST_CASE("an operation in words") {
  Record record = send();
  CHECK(describe(record) == "isend #12 to rank 1, tag 3, 64 B (heat.cpp:88 in exchange)");
  CHECK(describe_briefly(record) == "isend #12 (heat.cpp:88 in exchange)");
  record.kind = Kind::receive;
  record.peer = -1;
  record.tag = -1;
  record.communicator = "rows";
  CHECK(describe(record) ==
        "irecv #12 on \"rows\" from any source, any tag, 64 B (heat.cpp:88 in exchange)");
  CHECK(describe_briefly(record) == "irecv #12 on \"rows\" (heat.cpp:88 in exchange)");
}

TEST_CASE("a posting site in words") {
  CHECK(describe(PostingSite{"heat.cpp", "exchange", 7}) == "heat.cpp:7 in exchange");
  CHECK(describe(PostingSite{"a/b/heat.cpp", "", 7}) == "heat.cpp:7");
  CHECK(file_and_line(PostingSite{"../heat.cpp", "exchange", 7}) == "heat.cpp:7");
  CHECK(describe(PostingSite{}) == "unknown place");
}

TEST_CASE("sizes are exact") {
  CHECK(describe_bytes(0) == "0 B");
  CHECK(describe_bytes(1023) == "1023 B");
  CHECK(describe_bytes(1024) == "1024 B (1 KiB)");
  CHECK(describe_bytes(65536) == "65536 B (64 KiB)");
  CHECK(describe_bytes(1000000) == "1000000 B");
  CHECK(describe_bytes(1536 * 1024) == "1572864 B (1536 KiB)");
  CHECK(describe_bytes(std::size_t{4} << 20) == "4194304 B (4 MiB)");
  CHECK(describe_bytes(std::size_t{5} << 30) == "5368709120 B (5 GiB)");
}

TEST_CASE("messages in words, as far as they are known") {
  Record record = send();
  record.kind = Kind::receive;
  CHECK(describe_message(2, 5, describe_bytes(16)) == "rank 2 sent 16 B with tag 5");
  CHECK(describe_message(-1, -1, "a longer message") == "somebody sent a longer message");
  CHECK(describe_truncation(record, 0, 3, 128) ==
        "irecv #12 (heat.cpp:88 in exchange): rank 0 sent 128 B with tag 3, the buffer holds 64 B");
  CHECK(describe_truncation(record, 0, 3, std::nullopt) ==
        "irecv #12 (heat.cpp:88 in exchange): rank 0 sent a longer message with tag 3, the buffer "
        "holds 64 B");
}
