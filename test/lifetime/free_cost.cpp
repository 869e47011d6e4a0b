// SPDX-License-Identifier: BSD-3-Clause
// What a free() of memory costs that no operation uses: FREE_COST OPERATIONS prints a line per size
// of block, with the time of a malloc() and its free() in ns. free_cost.py compares it with and
// without libwaybill-lifetime.so.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "waybill/waybill.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// Two blocks at a time, so that free() does not just meet what malloc() gave last.
double pair_ns(std::size_t bytes) {
  const int rounds = bytes > 10000 ? 20000 : 200000;
  const auto begin = Clock::now();
  for (int i = 0; i < rounds; ++i) {
    auto* volatile one = std::malloc(bytes);
    auto* volatile other = std::malloc(bytes);
    std::free(one);
    std::free(other);
  }
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / rounds / 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  waybill::Options options;
  options.check = waybill::Check::content;
  options.recorder_entries = 0;
  waybill::Runtime runtime(options);
  const waybill::Communicator world = runtime.world();
  // Buffers on the heap, where the blocks will lie too, with gaps of a block between them.
  std::vector<std::vector<char>> buffers;
  std::vector<std::vector<char>> gaps;
  for (std::size_t i = 0; i < operations; ++i) {
    buffers.emplace_back(i % 4 == 3 ? 20000 : 256);
    gaps.emplace_back(1024);
  }
  gaps.clear();
  std::vector<waybill::Work> works;
  for (std::vector<char>& buffer : buffers) works.push_back(world.irecv(buffer, world.rank(), 7));
  for (const std::size_t bytes : {64U, 1024U, 16384U, 100000U}) {
    std::array<double, 9> times{};
    for (double& time : times) time = pair_ns(bytes);
    // The machine may do something else at times.
    std::printf("%zu %.2f\n", bytes, *std::min_element(times.begin(), times.end()));
  }
  for (waybill::Work& work : works) {
    if (!work.cancel()) std::puts("not cancelled");
  }
}
