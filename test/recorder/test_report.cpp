// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace waybill;
using recorder::Report;
using recorder::ReportOptions;

namespace {

Finding finding(FindingKind kind, std::uint32_t line, std::uint32_t other_line = 0) {
  Finding made;
  made.kind = kind;
  made.rank = 1;
  made.site = {"src/heat.cpp", "exchange", line};
  if (other_line != 0) made.other = {"src/heat.cpp", "exchange", other_line};
  made.what = "what happened";
  made.advice = "what helps";
  return made;
}

/// Reads what was written into it, piece by piece as it was written.
class Packets {
 public:
  Packets() {
    // A pipe in packet mode keeps the borders between writes.
    REQUIRE(::pipe2(ends_, O_DIRECT | O_NONBLOCK) == 0);
  }
  Packets(const Packets&) = delete;
  Packets& operator=(const Packets&) = delete;
  ~Packets() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  [[nodiscard]] int descriptor() const { return ends_[1]; }
  [[nodiscard]] std::string next() const {
    char text[4096];
    const ssize_t size = ::read(ends_[0], text, sizeof text);
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
  }

 private:
  int ends_[2];
};

}  // namespace

TEST_CASE("a place is told once, in one write, and then counted") {
  const Packets packets;
  Report report({.descriptor = packets.descriptor()});
  report.report(finding(FindingKind::dropped_handle, 88));
  report.report(finding(FindingKind::dropped_handle, 88));
  report.report(finding(FindingKind::dropped_handle, 90));
  CHECK(packets.next() ==
        "waybill: dropped-handle on rank 1\n  what happened\n  to do: what helps\n");
  CHECK(packets.next() ==
        "waybill: dropped-handle on rank 1\n  what happened\n  to do: what helps\n");
  CHECK(packets.next().empty());
  CHECK(report.count() == 3);
  CHECK(report.count(FindingKind::dropped_handle) == 3);
  CHECK(report.count(FindingKind::truncated) == 0);
}

TEST_CASE("kind, file and both lines make a place") {
  const Packets packets;
  Report report({.descriptor = packets.descriptor()});
  const Finding first = finding(FindingKind::overlapping_buffers, 88, 80);
  Finding elsewhere = first;
  elsewhere.site.file = "lib/heat.cpp";
  const std::string copy_of_name = "src/heat.cpp";
  Finding same = first;
  same.site.file = copy_of_name.c_str();  // another literal with the same text
  for (const Finding& each :
       {first, elsewhere, same, finding(FindingKind::overlapping_buffers, 88, 81),
        finding(FindingKind::truncated, 88, 80)}) {
    report.report(Finding(each));
  }
  int blocks = 0;
  while (!packets.next().empty()) ++blocks;
  CHECK(blocks == 4);
}

TEST_CASE("the summary has one line per place") {
  const Packets packets;
  Report report({.descriptor = packets.descriptor()});
  report.report(finding(FindingKind::dropped_handle, 88));
  report.report(finding(FindingKind::overlapping_buffers, 90, 88));
  report.report(finding(FindingKind::dropped_handle, 88));
  while (!packets.next().empty()) {
  }
  report.summary();
  CHECK(packets.next() ==
        "waybill: 3 findings on rank 1\n"
        "  2 x dropped-handle at heat.cpp:88\n"
        "  1 x overlapping-buffers at heat.cpp:90 and heat.cpp:88\n");
}

TEST_CASE("without findings the summary is silent") {
  const Packets packets;
  Report report({.descriptor = packets.descriptor()});
  report.summary();
  CHECK(packets.next().empty());
}

TEST_CASE("text can be switched off") {
  const Packets packets;
  Report report({.text = false, .descriptor = packets.descriptor()});
  report.report(finding(FindingKind::dropped_handle, 88));
  report.summary();
  CHECK(packets.next().empty());
  CHECK(report.count() == 1);
}

TEST_CASE("the callback sees every finding, and what it throws stops there") {
  std::vector<std::uint32_t> lines;
  Report report({.text = false, .descriptor = -1, .on_finding = [&](const Finding& each) {
                   lines.push_back(each.site.line);
                   throw std::runtime_error("not waybill's affair");
                 }});
  report.report(finding(FindingKind::dropped_handle, 88));
  report.report(finding(FindingKind::dropped_handle, 88));
  report.report(finding(FindingKind::never_waited, 90));
  CHECK(lines == std::vector<std::uint32_t>{88, 88, 90});
}

TEST_CASE("the callback may ask the report") {
  std::size_t seen = 0;
  Report* self = nullptr;
  Report report({.text = false, .descriptor = -1, .on_finding = [&](const Finding&) {
                   seen = self->count();
                 }});
  self = &report;
  report.report(finding(FindingKind::dropped_handle, 88));
  CHECK(seen == 1);
}

TEST_CASE("more places than are told apart are counted in one line") {
  int descriptors[2];
  REQUIRE(::pipe(descriptors) == 0);
  std::string text;
  std::thread reader([&] {
    char piece[4096];
    for (ssize_t size = 0; (size = ::read(descriptors[0], piece, sizeof piece)) > 0;) {
      text.append(piece, static_cast<std::size_t>(size));
    }
  });
  Report report({.descriptor = descriptors[1]});
  const auto places = static_cast<std::uint32_t>(Report::max_places);
  for (std::uint32_t line = 1; line <= places + 10; ++line) {
    report.report(finding(FindingKind::dropped_handle, line));
  }
  report.summary();
  ::close(descriptors[1]);
  reader.join();
  ::close(descriptors[0]);
  CHECK(report.count() == places + 10);
  CHECK(text.find("waybill: 4106 findings on rank 1\n  1 x dropped-handle at heat.cpp:1\n") !=
        std::string::npos);
  CHECK(text.find("  1 x dropped-handle at heat.cpp:4096\n  10 x at further places\n") !=
        std::string::npos);
}

TEST_CASE("a closed descriptor is no obstacle") {
  Report report({.descriptor = -1});
  report.report(finding(FindingKind::dropped_handle, 88));
  report.summary();
  CHECK(report.count() == 1);
}

TEST_CASE("threads may report at once") {
  const Packets packets;
  std::atomic<int> calls{0};
  Report report(
      {.descriptor = packets.descriptor(), .on_finding = [&](const Finding&) { ++calls; }});
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < 4; ++number) {
    threads.emplace_back([&report, number] {
      for (std::uint32_t i = 0; i < 1000; ++i) {
        report.report(finding(FindingKind::dropped_handle, i % 5 + number));
        if (report.count() == 0) std::terminate();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(calls == 4000);
  CHECK(report.count(FindingKind::dropped_handle) == 4000);
  int blocks = 0;
  for (std::string block; !(block = packets.next()).empty(); ++blocks) {
    CHECK(block == "waybill: dropped-handle on rank 1\n  what happened\n  to do: what helps\n");
  }
  CHECK(blocks == 8);  // lines 0 to 7
}
