// SPDX-License-Identifier: BSD-3-Clause
// Faults that are not Waybill's, and handlers that the program has.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <string>

#include "guard/aligned_pages.hpp"
#include "guard/child.hpp"
#include "guard/fault_handler.hpp"
#include "guard/guard.hpp"
#include "guard/signal_chain.hpp"
#include "registry/kept_findings.hpp"
#include "support/catch.hpp"

using waybill::guard::Guard;
using waybill::guard::Guarded;
using waybill::registry::Access;
using waybill::test::AlignedPages;
using waybill::test::ChildEnd;
using waybill::test::KeptFindings;
using waybill::test::record_of;
using waybill::test::run_in_child;

namespace {

/// A guard with an operation in flight, which was touched if so wished.
struct Scene {
  explicit Scene(bool touch = false) : pages(4) {
    guarded = guard.protect(record_of(Access::read, pages.address(), pages.size()));
    if (touch) pages[0] = 1;
  }
  KeptFindings sink;
  Guard guard{3, sink};
  AlignedPages pages;
  Guarded* guarded = nullptr;
};

volatile int* volatile null_pointer = nullptr;  // what the compiler cannot know
__attribute__((no_sanitize("null"), noinline)) void touch_null() { *null_pointer = 1; }
[[gnu::noinline]] void touch_closed_page() {
  static volatile char* const page = static_cast<volatile char*>(
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  *page = 1;
}

void exit_7(int /*signal*/) { _exit(7); }

volatile sig_atomic_t seen_signal = 0;
void* volatile seen_address = nullptr;
volatile sig_atomic_t was_blocked = 0;
sigjmp_buf way_out;

void note_and_leave(int signal, siginfo_t* info, void* /*ucontext*/) {
  seen_signal = signal;
  seen_address = info->si_addr;
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  was_blocked = sigismember(&blocked, SIGUSR2) == 1 && sigismember(&blocked, SIGSEGV) == 1 &&
                sigismember(&blocked, SIGUSR1) == 0;
  siglongjmp(way_out, 1);
}

void install(void (*handler)(int), int signal = SIGSEGV) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

}  // namespace

TEST_CASE("a fault that is not ours kills as without Waybill") {
  for (const bool with_guard : {false, true}) {
    for (void (*touch)() : {&touch_null, &touch_closed_page}) {
      const ChildEnd end = run_in_child([&] {
        const auto scene = with_guard ? std::make_unique<Scene>() : nullptr;
        touch();
        return 0;
      });
      REQUIRE(end.signal == SIGSEGV);
      REQUIRE(end.stderr_text.empty());
    }
  }
}

TEST_CASE("also after pages were opened, and from a signal that was sent") {
  const ChildEnd opened = run_in_child([] {
    Scene scene(true);
    scene.guard.release(scene.guarded);
    touch_closed_page();
    return 0;
  });
  REQUIRE(opened.signal == SIGSEGV);
  for (const int signal : {SIGSEGV, SIGTRAP}) {
    const ChildEnd sent = run_in_child([signal] {
      const Scene scene;
      raise(signal);
      return 0;
    });
    REQUIRE(sent.signal == signal);
  }
}

TEST_CASE("what was found is not lost with the process") {
  const ChildEnd end = run_in_child([] {
    const Scene scene(true);
    touch_null();
    return 0;
  });
  REQUIRE(end.signal == SIGSEGV);
  REQUIRE_THAT(end.stderr_text,
               ContainsSubstring("waybill: send-buffer-modified on rank 3: isend #7 "
                                 "(src/heat.cpp:88): the instruction at 0x"));
  REQUIRE_THAT(end.stderr_text, ContainsSubstring(" wrote byte 0, thread "));
}

TEST_CASE("the program's handler gets its faults, and only those") {
  const ChildEnd simple = run_in_child([] {
    install(&exit_7);
    const Scene scene(true);
    touch_null();
    return 0;
  });
  REQUIRE(simple.exited);
  REQUIRE(simple.status == 7);
  REQUIRE(simple.stderr_text.empty());

  const ChildEnd end = run_in_child([] {
    struct sigaction action = {};
    action.sa_sigaction = &note_and_leave;
    action.sa_flags = SA_SIGINFO;
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGSEGV, &action, nullptr);
    Scene scene;
    for (int round = 0; round < 3; ++round) {
      if (sigsetjmp(way_out, 1) == 0) touch_null();
    }
    if (seen_signal != SIGSEGV || seen_address != nullptr || was_blocked == 0) return 1;
    scene.pages[5] = 1;  // ours still works
    return scene.guard.release(scene.guarded) ? 0 : 2;
  });
  REQUIRE(end.exited);
  REQUIRE(end.status == 0);
}

TEST_CASE("ignored signals are ignored if they were sent, and kill if they are faults") {
  const ChildEnd sent = run_in_child([] {
    install(SIG_IGN);
    const Scene scene;
    raise(SIGSEGV);
    return 9;
  });
  REQUIRE(sent.exited);
  REQUIRE(sent.status == 9);
  const ChildEnd fault = run_in_child([] {
    install(SIG_IGN);
    const Scene scene;
    touch_null();
    return 9;
  });
  REQUIRE(fault.signal == SIGSEGV);
}

TEST_CASE("a handler for one signal only is called once") {
  const ChildEnd end = run_in_child([] {
    struct sigaction action = {};
    action.sa_sigaction = &note_and_leave;
    action.sa_flags = static_cast<int>(SA_SIGINFO | static_cast<unsigned>(SA_RESETHAND));
    sigaction(SIGSEGV, &action, nullptr);
    const Scene scene;
    if (sigsetjmp(way_out, 1) == 0) touch_null();
    if (seen_signal != SIGSEGV) return 1;
    touch_null();
    return 2;
  });
  REQUIRE(end.signal == SIGSEGV);
}

TEST_CASE("a handler that comes later is noticed, told once, and left in front") {
  const ChildEnd end = run_in_child([] {
    int told = 0;
    KeptFindings sink;
    {
      Guard guard(0, sink, {.watchpoints = false, .say = [&](const std::string& text) {
                              told += text.find("handler of SIGSEGV") != std::string::npos ? 1 : 10;
                            }});
      install(&exit_7);
      AlignedPages pages(2);
      for (int i = 0; i < 2; ++i) {
        if (guard.protect(record_of(Access::read, pages.address(), pages.size())) != nullptr)
          return 1;
      }
      pages[0] = 1;
      if (guard.counts().unwatched != 2 || guard.counts().unprotected != 2) return 2;
    }
    if (told != 1) return 3;
    touch_null();  // theirs has survived the guard
    return 4;
  });
  REQUIRE(end.exited);
  REQUIRE(end.status == 7);
}

TEST_CASE("after the guard all is as before") {
  struct sigaction before = {};
  struct sigaction after = {};
  sigaction(SIGSEGV, nullptr, &before);
  { const Scene scene; }
  sigaction(SIGSEGV, nullptr, &after);
  REQUIRE(before.sa_handler == after.sa_handler);
}

TEST_CASE("a child made by fork goes on correctly") {
  Scene scene;
  const pid_t child = fork();
  if (child == 0) {
    scene.pages[1] = 5;
    _exit(scene.pages[1] == 5 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(status == 0);
  REQUIRE_FALSE(scene.guard.release(scene.guarded));  // the child's touch was not ours
}

TEST_CASE("too many mappings: not protected, told once; or opened with all around") {
  const ChildEnd end = run_in_child([] {
    int told = 0;
    KeptFindings sink;
    Guard guard(0, sink, {.watchpoints = false, .say = [&](const std::string& text) {
                            told += text.find("vm.max_map_count") != std::string::npos ? 1 : 10;
                          }});
    const std::size_t page = waybill::test::page_bytes();
    AlignedPages pages(20);
    AlignedPages others(9);
    Guarded* three[3];
    for (std::size_t i = 0; i < 3; ++i) {
      three[i] =
          guard.protect(record_of(Access::read, pages.address((2 + 3 * i) * page), 3 * page));
      if (three[i] == nullptr) return 1;
    }
    // Every other page of a large reservation is a mapping of its own, until there are too many.
    const std::size_t many = 200'000;
    auto* const filler = static_cast<char*>(
        mmap(nullptr, many * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (filler == MAP_FAILED) return 77;
    std::size_t at = 0;
    while (at < many && mprotect(filler + at * page, page, PROT_READ) == 0) at += 2;
    if (at >= many) return 77;  // a kernel that allows so many
    // The middle page of plain memory would make two more mappings.
    const auto middle = record_of(Access::read, others.address(4 * page), page);
    if (guard.protect(middle) != nullptr || guard.protect(middle) != nullptr || told != 1) return 2;
    others[4 * page] = 1;
    if (guard.release(three[1])) return 3;  // would split the run of three
    for (std::size_t i = 0; i < 9; ++i) pages[(2 + i) * page] = 1;
    if (guard.release(three[0]) || guard.release(three[2])) return 4;
    munmap(filler, many * page);
    Guarded* const again = guard.protect(record_of(Access::read, pages.address(), pages.size()));
    pages[7] = 2;
    return again != nullptr && guard.release(again) ? 0 : 5;
  });
  REQUIRE(end.exited);
  INFO(end.stderr_text);
  if (end.status == 77) WARN("not tested: this kernel allows too many mappings");
  else REQUIRE(end.status == 0);
}
