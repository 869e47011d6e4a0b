// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/careful_access.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using waybill::registry::CarefulAccess;

namespace {

volatile char* page(int protection) {
  void* const made = mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(made != MAP_FAILED);
  return static_cast<volatile char*>(made);
}

/// Exit status of a child that runs @p body, or minus the signal that ended it.
template <class Body>
int end_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("memory that is not there is an answer, again and again, in every thread") {
  const CarefulAccess careful;
  volatile char* const closed = page(PROT_NONE);
  volatile char* const open = page(PROT_READ | PROT_WRITE);
  const auto try_both = [&] {
    for (int i = 0; i < 100; ++i) {
      bool ended = false;
      REQUIRE_FALSE(CarefulAccess::carefully([&] {
        *closed = 1;
        ended = true;
      }));
      REQUIRE_FALSE(ended);
      REQUIRE(CarefulAccess::carefully([&] {
        *open = 1;
        ended = true;
      }));
      REQUIRE(ended);
    }
  };
  try_both();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) {
        if (CarefulAccess::carefully([&] { *closed = 1; })) std::abort();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// A sanitizer has a handler of its own, which ends the process with a status.
TEST_CASE("a fault elsewhere ends the process as it always did") {
  volatile char* const closed = page(PROT_NONE);
  struct sigaction before = {};
  sigaction(SIGSEGV, nullptr, &before);
  if (before.sa_handler != SIG_DFL) return;
  CHECK(end_of_child([&] {
          const CarefulAccess careful;
          *closed = 1;
        }) == -SIGSEGV);
  CHECK(end_of_child([&] {
          const CarefulAccess careful;
          raise(SIGSEGV);
        }) == -SIGSEGV);
}

TEST_CASE("a fault elsewhere goes to the handler that was there, which comes back afterwards") {
  volatile char* const closed = page(PROT_NONE);
  CHECK(end_of_child([&] {
          struct sigaction own = {};
          own.sa_handler = [](int) { _exit(42); };
          sigaction(SIGSEGV, &own, nullptr);
          const CarefulAccess careful;
          if (CarefulAccess::carefully([&] { *closed = 1; })) _exit(1);
          *closed = 1;
        }) == 42);
  CHECK(end_of_child([&] {
          struct sigaction own = {};
          own.sa_handler = [](int) { _exit(42); };
          sigaction(SIGSEGV, &own, nullptr);
          { const CarefulAccess careful; }
          struct sigaction now = {};
          sigaction(SIGSEGV, nullptr, &now);
          _exit(now.sa_handler == own.sa_handler ? 43 : 1);
        }) == 43);
}
