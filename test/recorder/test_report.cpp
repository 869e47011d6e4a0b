// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/report.hpp"

#include <unistd.h>

#include <string>

#include "made_finding.hpp"
#include "packets.hpp"
#include "support/catch.hpp"

using namespace waybill;
using recorder::Places;
using recorder::Report;
using recorder::Tally;
using test_support::made_finding;
using test_support::Packets;

namespace {

/// A report with the places it is told of.
struct Told {
  explicit Told(int descriptor) : report(descriptor) {}
  void tell(const Finding& finding) { report.tell(finding, places.add(finding)); }
  [[nodiscard]] Tally tally() const { return {1, places.all(), places.elsewhere(), {}}; }
  Places places;
  Report report;
};

}  // namespace

TEST_CASE("a place is told once, in one write") {
  const Packets packets;
  Told told(packets.descriptor());
  told.tell(made_finding(FindingKind::dropped_handle, 88));
  told.tell(made_finding(FindingKind::dropped_handle, 88));
  told.tell(made_finding(FindingKind::dropped_handle, 90));
  const char* const block =
      "waybill: dropped-handle on rank 1\n  what happened\n  to do: what helps\n";
  CHECK(packets.next() == block);
  CHECK(packets.next() == block);
  CHECK(packets.next().empty());
}

TEST_CASE("the summary has one line per place") {
  const Packets packets;
  Told told(packets.descriptor());
  told.tell(made_finding(FindingKind::dropped_handle, 88));
  told.tell(made_finding(FindingKind::overlapping_buffers, 90, 88));
  told.tell(made_finding(FindingKind::dropped_handle, 88));
  while (!packets.next().empty()) {
  }
  told.report.end(told.tally());
  CHECK(packets.next() ==
        "waybill: 3 findings on rank 1\n"
        "  2 x dropped-handle at heat.cpp:88\n"
        "  1 x overlapping-buffers at heat.cpp:90 and heat.cpp:88\n");
}

TEST_CASE("the summary names suppressions, also where nothing else was found") {
  const Packets packets;
  Told told(packets.descriptor());
  Tally tally = told.tally();
  tally.suppressed = {{"halo exchange", 3}, {"known leak", 2}};
  told.report.end(tally);
  CHECK(packets.next() ==
        "waybill: 0 findings on rank 1, and 5 suppressed\n"
        "  3 x suppressed by halo exchange\n"
        "  2 x suppressed by known leak\n");
}

TEST_CASE("without findings the summary is silent") {
  const Packets packets;
  Told told(packets.descriptor());
  told.report.end(told.tally());
  CHECK(packets.next().empty());
}

TEST_CASE("more places than are told apart are one line of the summary") {
  const Packets packets;
  Told told(packets.descriptor());
  told.report.tell(made_finding(FindingKind::dropped_handle, 88), {Places::max_places, 1});
  CHECK(packets.next().empty());
  Tally tally = told.tally();
  tally.elsewhere[0] = 10;
  told.report.end(tally);
  CHECK(packets.next() == "waybill: 10 findings on rank 1\n  10 x at further places\n");
}

TEST_CASE("a closed descriptor is no obstacle") {
  Told told(-1);
  told.tell(made_finding(FindingKind::dropped_handle, 88));
  told.report.end(told.tally());
  CHECK(told.places.count() == 1);
}
