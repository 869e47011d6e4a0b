// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/signal_chain.hpp"

#include <setjmp.h>

#include <cstdlib>

#include "recorder/child.hpp"
#include "support/catch.hpp"

using namespace recorder_test;
using waybill::recorder::SignalChain;

namespace {

SignalChain chain;
volatile sig_atomic_t ours = 0;
volatile sig_atomic_t theirs = 0;
siginfo_t* seen_info = nullptr;

void our_handler(int /*signal*/, siginfo_t* info, void* context) {
  ours = ours + 1;
  chain.hand_on(info, context);
}
void plain_handler(int /*signal*/) { theirs = theirs + 1; }
void informed_handler(int /*signal*/, siginfo_t* info, void* /*context*/) {
  theirs = theirs + 1;
  seen_info = info;
}

void set_handler(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

void require(bool condition, int code) {
  if (!condition) _exit(code);
}

bool is_blocked(int signal) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

}  // namespace

TEST_CASE("an earlier handler is called, and is alone again afterwards") {
  REQUIRE(exited_with(end_of_child([] {
                        set_handler(SIGUSR1, plain_handler, SA_RESTART);
                        require(chain.install(SIGUSR1, our_handler), 1);
                        raise(SIGUSR1);
                        require(ours == 1 && theirs == 1, 2);
                        chain.restore();
                        raise(SIGUSR1);
                        require(ours == 1 && theirs == 2, 3);
                        struct sigaction now {};
                        sigaction(SIGUSR1, nullptr, &now);
                        require(now.sa_handler == plain_handler, 4);
                        require((now.sa_flags & SA_RESTART) != 0, 5);
                      }),
                      0));
}

TEST_CASE("one that wants to be informed is") {
  REQUIRE(exited_with(end_of_child([] {
                        struct sigaction action {};
                        action.sa_sigaction = informed_handler;
                        action.sa_flags = SA_SIGINFO;
                        sigaction(SIGTERM, &action, nullptr);
                        chain.install(SIGTERM, our_handler);
                        raise(SIGTERM);
                        require(ours == 1 && theirs == 1 && seen_info != nullptr, 1);
                      }),
                      0));
}

TEST_CASE("a default ends the process by the signal, if it was raised or a fault") {
  for (const int signal : {SIGTERM, SIGABRT, SIGSEGV, SIGUSR1}) {
    CAPTURE(signal);
    CHECK(ended_by(end_of_child([&] {
                     chain.install(signal, our_handler);
                     raise(signal);
                   }),
                   signal));
  }
  CHECK(ended_by(end_of_child([] {
                   chain.install(SIGSEGV, our_handler);
                   *forbidden_page() = 1;
                 }),
                 SIGSEGV));
  CHECK(ended_by(end_of_child([] {
                   chain.install(SIGABRT, our_handler);
                   std::abort();
                 }),
                 SIGABRT));
}

TEST_CASE("what was ignored stays ignored; a fault cannot be") {
  CHECK(exited_with(end_of_child([] {
                      signal(SIGTERM, SIG_IGN);
                      chain.install(SIGTERM, our_handler);
                      raise(SIGTERM);
                      require(ours == 1, 1);
                      chain.restore();
                      raise(SIGTERM);
                      require(ours == 1, 2);
                    }),
                    0));
  CHECK(ended_by(end_of_child([] {
                   signal(SIGSEGV, SIG_IGN);
                   chain.install(SIGSEGV, our_handler);
                   *forbidden_page() = 1;
                 }),
                 SIGSEGV));
}

TEST_CASE("a handler for one time is called one time") {
  CHECK(ended_by(end_of_child([] {
                   set_handler(SIGTERM, plain_handler, static_cast<int>(SA_RESETHAND));
                   chain.install(SIGTERM, our_handler);
                   raise(SIGTERM);
                   require(theirs == 1, 1);
                   raise(SIGTERM);
                 }),
                 SIGTERM));
  CHECK(ended_by(end_of_child([] {
                   set_handler(SIGTERM, plain_handler, static_cast<int>(SA_RESETHAND));
                   chain.install(SIGTERM, our_handler);
                   raise(SIGTERM);
                   chain.restore();
                   raise(SIGTERM);  // as it would be without us
                 }),
                 SIGTERM));
}

TEST_CASE("it runs with the mask that it asked for, which then is gone") {
  static bool own = false;
  static bool other = false;
  const auto look = [](int signal) {
    own = is_blocked(signal);
    other = is_blocked(SIGUSR2);
  };
  CHECK(exited_with(end_of_child([&] {
                      struct sigaction action {};
                      action.sa_handler = look;
                      sigaddset(&action.sa_mask, SIGUSR2);
                      for (const int flags : {0, static_cast<int>(SA_NODEFER)}) {
                        action.sa_flags = flags;
                        for (const int each : {SIGTERM, SIGSEGV}) {
                          sigaction(each, &action, nullptr);
                          chain.install(each, our_handler);
                          raise(each);
                          chain.restore();
                          require(own == (flags == 0), 1);
                          require(other, 2);
                          require(!is_blocked(each) && !is_blocked(SIGUSR2), 3);
                        }
                      }
                    }),
                    0));
}

TEST_CASE("a handler may leave by a jump") {
  static sigjmp_buf back;
  CHECK(exited_with(end_of_child([] {
                      set_handler(SIGSEGV, [](int) { siglongjmp(back, 1); });
                      chain.install(SIGSEGV, our_handler);
                      static int round = 0;
                      if (sigsetjmp(back, 1) == 0 || ++round < 3) {
                        *forbidden_page() = 1;
                        _exit(1);
                      }
                      require(ours == 3, 2);
                    }),
                    0));
}

TEST_CASE("who came in front of us stays there, and we are not installed twice") {
  static struct sigaction before {};
  const auto in_front = [](int signal, siginfo_t* info, void* context) {
    theirs = theirs + 1;
    before.sa_sigaction(signal, info, context);
  };
  CHECK(exited_with(end_of_child([&] {
                      signal(SIGTERM, SIG_IGN);
                      chain.install(SIGTERM, our_handler);
                      struct sigaction action {};
                      action.sa_sigaction = in_front;
                      action.sa_flags = SA_SIGINFO;
                      sigaction(SIGTERM, &action, &before);
                      raise(SIGTERM);
                      require(ours == 1 && theirs == 1, 1);
                      chain.restore();
                      raise(SIGTERM);
                      require(ours == 2 && theirs == 2, 2);
                      require(chain.install(SIGTERM, our_handler), 3);
                      raise(SIGTERM);
                      require(ours == 3 && theirs == 3, 4);  // and not for ever
                      sigaction(SIGTERM, &before, nullptr);  // gone again
                      chain.restore();
                      raise(SIGTERM);
                      require(ours == 3 && theirs == 3, 5);
                    }),
                    0));
}
