// SPDX-License-Identifier: BSD-3-Clause
#include "guard/symbols.hpp"

#include <cstdlib>

#include "guard/resolve.hpp"
#include "guard/stack_trace.hpp"
#include "guard/touches.hpp"
#include "support/catch.hpp"

using waybill::guard::capture;
using waybill::guard::describe;
using waybill::guard::source_frames;
using waybill::guard::SourceFrame;
using waybill::guard::StackTrace;

TEST_CASE("frames in words, with what is known of them") {
  REQUIRE(describe(SourceFrame{"step", "heat.cpp", 95, "heat", 0x12}) == "step (heat.cpp:95)");
  REQUIRE(describe(SourceFrame{"step", "", 0, "heat", 0x12ab}) == "step (heat+0x12ab)");
  REQUIRE(describe(SourceFrame{"", "", 0, "heat", 0x12ab}) == "heat+0x12ab");
  REQUIRE(describe(SourceFrame{"", "", 0, "", 0x12ab}) == "0x12ab");
}

TEST_CASE("an exported function of another library is known without debug information") {
  const auto frame =
      waybill::guard::exported_frame(reinterpret_cast<std::uintptr_t>(&std::strtoul) + 1);
  REQUIRE((frame.function.empty() || !frame.object.empty()));
  REQUIRE_THAT(frame.object, ContainsSubstring("."));
  REQUIRE(waybill::guard::exported_frame(1).object.empty());
}

TEST_CASE("names are demangled, files lose their directories") {
  REQUIRE(waybill::guard::demangled("_ZN3foo3barEi") == "foo::bar(int)");
  REQUIRE(waybill::guard::demangled("main") == "main");
  REQUIRE(waybill::guard::without_directories("/usr/lib/libm.so.6") == "libm.so.6");
  REQUIRE(waybill::guard::without_directories("libm.so.6") == "libm.so.6");
}

TEST_CASE("the line of an instruction, the same the second time") {
  const auto instruction = reinterpret_cast<std::uintptr_t>(&waybill::test::write_byte);
  const auto frames = source_frames(instruction);
  REQUIRE_FALSE(frames.empty());
  if (waybill::test::name_of_write().empty()) {
    WARN("lines not tested: no debug information, or built without libdw");
    REQUIRE(frames.front().line == 0);
  } else {
    REQUIRE(describe(frames.front()) == waybill::test::name_of_write());
  }
  REQUIRE(source_frames(instruction) == frames);
}

TEST_CASE("a trace begins at the instruction asked for, and only there") {
  waybill::guard::prepare_stack_traces();
  StackTrace trace;
  capture(trace, 0x1234);  // not in the stack: no callers can be told
  REQUIRE(trace.count == 1);
  REQUIRE(trace.instructions[0] == 0x1234);
  capture(trace, 0);  // not known: all frames
  REQUIRE(trace.count > 1);
}
