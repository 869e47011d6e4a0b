// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/finding.hpp"

#include <string>

#include "support/catch.hpp"

using namespace waybill;

TEST_CASE("findings have the names of the documentation") {
  CHECK(std::string(name(FindingKind::dropped_handle)) == "dropped-handle");
  CHECK(std::string(name(FindingKind::overlapping_buffers)) == "overlapping-buffers");
  CHECK(std::string(name(FindingKind::unfinished_at_shutdown)) == "unfinished-at-shutdown");
  CHECK(std::string(name(FindingKind::never_waited)) == "never-waited");
  CHECK(std::string(name(FindingKind::truncated)) == "truncated");
  CHECK(std::string(name(FindingKind::short_message)) == "short-message");
}

TEST_CASE("every kind has a name") {
  for (std::size_t i = 0; i < finding_kinds; ++i) {
    CHECK(std::string(name(static_cast<FindingKind>(i))) != "unknown");
  }
  CHECK(std::string(name(static_cast<FindingKind>(finding_kinds))) == "unknown");
}
