// SPDX-License-Identifier: BSD-3-Clause
#include "support/held_output.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace test_support {

HeldOutput::HeldOutput(int rank) : rank_(rank) {
  if (rank == 0) return;
  file_ = memfd_create("stdout", MFD_CLOEXEC);
  if (file_ != -1) dup2(file_, STDOUT_FILENO);
}

HeldOutput::~HeldOutput() {
  if (file_ != -1) close(file_);
}

void HeldOutput::show() noexcept {
  std::cout.flush();
  std::fflush(stdout);
  if (file_ == -1) return;
  std::FILE* const kept = fdopen(file_, "r");
  file_ = -1;
  if (kept == nullptr) return;
  std::rewind(kept);
  char line[1024];
  while (std::fgets(line, sizeof line, kept) != nullptr) {
    std::fprintf(stderr, "[rank %d] %s", rank_, line);
  }
  std::fclose(kept);
}

}  // namespace test_support
