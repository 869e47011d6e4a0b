// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/status.hpp"

#include <utility>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/communicator.hpp"

using test_support::MockRuntime;
using waybill::FindingKind;
using waybill::Status;

TEST_CASE("elements are counted in the buffer's type or in any other") {
  const Status status(2, 5, 24, 8);
  REQUIRE(status.source() == 2);
  REQUIRE(status.tag() == 5);
  REQUIRE(status.elements() == 3);
  REQUIRE(status.elements_of<float>() == 6);
  REQUIRE(Status().bytes() == 0);
}

TEST_CASE("a short blocking receive is a finding if its status is thrown away") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const int out = 1;
  int in[3] = {};
  const auto receive = [&] {
    world.isend(waybill::value(out), 0).detach();
    return world.recv(in, 0);
  };
  SECTION("thrown away, moved or not") {
    receive();
    REQUIRE(runtime.findings.take().size() == 1);
    {
      Status first = receive();
      const Status second = std::move(first);
      static_cast<void>(second);
    }
    REQUIRE(runtime.findings.take().size() == 1);
    Status assigned = receive();
    assigned = Status();
    const auto findings = runtime.findings.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].kind == FindingKind::short_message);
  }
  SECTION("asked, copied or expected") {
    REQUIRE(receive().elements() == 1);
    REQUIRE(receive().bytes() == 4);
    const Status kept = receive();
    const Status copy = kept;  // NOLINT(performance-unnecessary-copy-initialization)
    REQUIRE(copy.elements_of<int>() == 1);
    world.isend(waybill::value(out), 0).detach();
    world.recv(waybill::up_to(in), 0);
    REQUIRE(runtime.findings.take().empty());
  }
}
