// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What ends a process is tried in a child.

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace recorder_test {

/// How a child ended that ran @p body, as waitpid() says it; with status 0 if it returned.
/// Signals have their defaults in it.
inline int end_of_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(30);
    for (const int each : {SIGUSR1, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
      signal(each, SIG_DFL);
    }
    body();
    _exit(0);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

inline bool ended_by(int status, int signal) {
  return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}
inline bool exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/// Memory that nobody may touch.
inline volatile char* forbidden_page() {
  static void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<volatile char*>(page);
}

}  // namespace recorder_test
