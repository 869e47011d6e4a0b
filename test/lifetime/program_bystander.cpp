// SPDX-License-Identifier: BSD-3-Clause
// A program without Waybill, for which the preloaded library changes nothing: it ends with 0.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

void check(bool holds) {
  if (!holds) std::_Exit(1);
}

void use_blocks() {
  for (std::size_t i = 1; i < 3000; ++i) {
    auto* block = static_cast<char*>(std::calloc(i, 7));
    check(block != nullptr);
    block[0] = 'a';
    block = static_cast<char*>(std::realloc(block, i * 100));
    check(block != nullptr && block[0] == 'a');
    errno = 17;
    std::free(block);
    check(errno == 17);
  }
  std::free(nullptr);
  std::free(std::realloc(nullptr, 10));
  // Read anew each time: the compiler takes it for freed, which it is not where that failed.
  void* volatile kept = std::malloc(10);
  volatile std::size_t many = SIZE_MAX / 2;
  check(reallocarray(kept, many, 4) == nullptr && errno == ENOMEM);
  std::free(kept);
  delete[] new int[100];
}

void use_mappings() {
  constexpr std::size_t bytes = 8192;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(memory != MAP_FAILED);
  void* const larger = mremap(memory, bytes, 16 * bytes, MREMAP_MAYMOVE);
  check(larger != MAP_FAILED);
  static_cast<char*>(larger)[16 * bytes - 1] = 1;
  check(munmap(static_cast<char*>(larger) + 1, bytes) == -1 && errno == EINVAL);
  check(munmap(larger, 16 * bytes) == 0);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      use_blocks();
      use_mappings();
    });
  }
  for (std::thread& each : threads) each.join();
  const pid_t child = fork();
  if (child == 0) {
    use_blocks();
    use_mappings();
    std::_Exit(0);
  }
  int status = -1;
  check(waitpid(child, &status, 0) == child && status == 0);
}
