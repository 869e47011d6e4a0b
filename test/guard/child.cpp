// SPDX-License-Identifier: BSD-3-Clause
#include "guard/child.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

namespace waybill::test {

ChildEnd run_in_child(const std::function<int()>& run) {
  ChildEnd end;
  int ends[2];
  if (pipe(ends) != 0) return end;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    for (const int number : {SIGSEGV, SIGTRAP, SIGBUS}) signal(number, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    _exit(run());
  }
  close(ends[1]);
  char text[512];
  for (ssize_t got = 0; (got = read(ends[0], text, sizeof text)) > 0;) {
    end.stderr_text.append(text, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  end.exited = WIFEXITED(status);
  if (end.exited) end.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace waybill::test
