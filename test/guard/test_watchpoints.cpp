// SPDX-License-Identifier: BSD-3-Clause
#include "guard/watchpoints.hpp"

#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "guard/aligned_pages.hpp"
#include "guard/child.hpp"
#include "guard/guard.hpp"
#include "guard/touches.hpp"
#include "registry/kept_findings.hpp"
#include "support/catch.hpp"

using waybill::FindingKind;
using waybill::guard::Guard;
using waybill::guard::Guarded;
using waybill::guard::Watchpoints;
using waybill::registry::Access;
using waybill::test::ChildEnd;
using waybill::test::KeptFindings;
using waybill::test::name_of_write;
using waybill::test::read_byte;
using waybill::test::record_of;
using waybill::test::run_in_child;
using waybill::test::write_byte;

namespace {

/// A guard, and whether this kernel grants watchpoints; where it does not, the
/// test case has nothing to look at, and says why.
struct Scene {
  KeptFindings sink;
  std::string said;
  Guard guard{1, sink, {.say = [this](const std::string& text) { said += text; }}};

  bool grants() {
    alignas(8) unsigned char bytes[8] = {};
    Guarded* const guarded = guard.protect(record_of(Access::read, bytes, sizeof bytes));
    guard.release(guarded);
    if (guarded == nullptr) {
      WARN("not tested, no watchpoints here: " << said);
      REQUIRE_FALSE(said.empty());
    }
    return guarded != nullptr;
  }
};

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// As a container does: perf_event_open(2) fails from now on.
bool forbid_perf_events(int error) {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{4, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

volatile sig_atomic_t traps_seen = 0;
void count_trap(int /*signal*/) { traps_seen = traps_seen + 1; }

}  // namespace

TEST_CASE("registers that bytes take") {
  REQUIRE(Watchpoints::registers_for({0x1000, 0x1004}) == 1);
  REQUIRE(Watchpoints::registers_for({0x1001, 0x1002}) == 1);
  REQUIRE(Watchpoints::registers_for({0x1003, 0x1007}) == 2 + 1);
  REQUIRE(Watchpoints::registers_for({0x1000, 0x1020}) == 4);
  REQUIRE(Watchpoints::registers_for({0x1001, 0x1010}) == 4);
  REQUIRE(Watchpoints::registers_for({0x1001, 0x1021}) == 7);
}

TEST_CASE("every byte of an int on the stack is watched, and its neighbours are not") {
  Scene scene;
  if (!scene.grants()) return;
  alignas(4) unsigned char frame[12] = {};
  unsigned char* const value = frame + 4;
  for (const Access access : {Access::read, Access::write}) {
    for (int byte = -4; byte < 8; ++byte) {
      unsigned char* const touched = value + byte;
      for (const bool write : {false, true}) {
        scene.sink.findings.clear();
        Guarded* const guarded = scene.guard.protect(record_of(access, value, 4));
        REQUIRE(guarded != nullptr);
        REQUIRE(Guard::coverage(*guarded).head == 4);
        REQUIRE(Guard::coverage(*guarded).complete());
        if (write) write_byte(*touched, 1);
        else static_cast<void>(read_byte(*touched));
        const bool inside = byte >= 0 && byte < 4;
        const bool wrong = inside && write;
        INFO("byte " << byte << ", write " << write);
        REQUIRE(scene.guard.release(guarded) == wrong);
        if (write) write_byte(*touched, 0);
        if (!wrong) continue;
        REQUIRE(scene.sink.findings.size() == 1);
        const waybill::Finding& finding = scene.sink.findings[0];
        REQUIRE(finding.kind == (access == Access::read ? FindingKind::send_buffer_modified
                                                        : FindingKind::recv_buffer_touched));
        REQUIRE_THAT(finding.what, ContainsSubstring(name_of_write() + " wrote byte " +
                                                     std::to_string(byte) + " while"));
        REQUIRE_THAT(finding.what, ContainsSubstring("a watchpoint"));
      }
    }
  }
}

TEST_CASE("touches by threads that were there before, and by threads started since") {
  Scene scene;
  if (!scene.grants()) return;
  alignas(8) static unsigned char value[8] = {};
  std::atomic<bool> go{false};
  std::thread before([&] {
    while (!go) std::this_thread::yield();
    write_byte(value[0], 1);
  });
  Guarded* guarded = scene.guard.protect(record_of(Access::read, value, sizeof value));
  REQUIRE(guarded != nullptr);
  go = true;
  before.join();
  REQUIRE(scene.guard.release(guarded));
  guarded = scene.guard.protect(record_of(Access::read, value, sizeof value));
  REQUIRE(guarded != nullptr);
  std::thread([] { write_byte(value[0], 2); }).join();
  REQUIRE(scene.guard.release(guarded));
  REQUIRE(value[0] == 2);
}

TEST_CASE("four at once, then none, then four again; no descriptor is left") {
  Scene scene;
  if (!scene.grants()) return;
  alignas(8) unsigned char values[6][8] = {};
  const std::size_t descriptors = open_descriptors();
  for (int round = 0; round < 50; ++round) {
    Guarded* guarded[6];
    for (int i = 0; i < 6; ++i) {
      guarded[i] = scene.guard.protect(record_of(Access::read, values[i], 8));
      REQUIRE((guarded[i] != nullptr) == (i < 4));
    }
    for (int i = 0; i < 6; ++i) write_byte(values[i][i], static_cast<unsigned char>(round + 1));
    for (int i = 0; i < 6; ++i) REQUIRE(scene.guard.release(guarded[i]) == (i < 4));
  }
  REQUIRE(open_descriptors() == descriptors);
  REQUIRE(scene.said.empty());  // busy is not refused
}

TEST_CASE("small edges beside whole pages are watched with them") {
  Scene scene;
  if (!scene.grants()) return;
  waybill::test::AlignedPages pages(3);
  const std::size_t page = waybill::test::page_bytes();
  for (const std::size_t byte : {page - 8, page, 2 * page - 1, 2 * page + 3}) {
    Guarded* const guarded =
        scene.guard.protect(record_of(Access::read, pages.address(page - 8), page + 12));
    REQUIRE(guarded != nullptr);
    REQUIRE(Guard::coverage(*guarded).head == 8);
    REQUIRE(Guard::coverage(*guarded).tail == 4);
    REQUIRE(Guard::coverage(*guarded).complete());
    pages[2 * page + 4] = 1;
    pages[page - 9] = 1;
    pages[byte] = static_cast<unsigned char>(pages[byte] + 1);
    REQUIRE(scene.guard.release(guarded));
    REQUIRE_THAT(scene.sink.findings.back().what,
                 ContainsSubstring(" byte " + std::to_string(byte - (page - 8)) + " while"));
  }
}

TEST_CASE("a debugger's trap, and one that was sent, go to the program's handler") {
  const ChildEnd end = run_in_child([] {
    signal(SIGTRAP, &count_trap);
    Scene scene;
    alignas(8) unsigned char value[8] = {};
    Guarded* const guarded = scene.guard.protect(record_of(Access::read, value, sizeof value));
    raise(SIGTRAP);
    write_byte(value[0], 1);
    if (traps_seen != 1) return 1;
    return scene.guard.release(guarded) == (guarded != nullptr) ? 0 : 2;
  });
  REQUIRE(end.exited);
  REQUIRE(end.status == 0);
}

TEST_CASE("without the right to them it is said once, with the reason") {
  const ChildEnd end = run_in_child([] {
    if (!forbid_perf_events(EACCES)) return 77;
    int said = 0;
    KeptFindings sink;
    Guard guard(0, sink, {.say = [&](const std::string& text) {
                  said += text.find("kernel.perf_event_paranoid") != std::string::npos &&
                                  text.find(std::strerror(EACCES)) != std::string::npos
                              ? 1
                              : 10;
                }});
    alignas(8) unsigned char value[8] = {};
    for (int i = 0; i < 2; ++i) {
      if (guard.protect(record_of(Access::read, value, sizeof value)) != nullptr) return 1;
    }
    write_byte(value[0], 1);
    return said == 1 && sink.findings.empty() && guard.counts().unwatched == 2 ? 0 : 2;
  });
  REQUIRE(end.exited);
  if (end.status == 77) WARN("not tested: no filters of system calls here");
  else REQUIRE(end.status == 0);
}
