// SPDX-License-Identifier: BSD-3-Clause
// More than 2^31 elements in one message, between two ranks and to itself.
// Memory is asked for as it is touched; a machine with too little of it skips.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "waybill/waybill.hpp"

namespace {

constexpr std::size_t count = (std::size_t{1} << 31) + 5;

char pattern(std::size_t i) { return static_cast<char>(i * 2654435761U >> 24); }

bool right(const std::vector<char>& in, std::size_t received) {
  for (std::size_t i = 0; i < received; i += 4093) {
    if (in[i] != pattern(i)) return false;
  }
  return in[received - 1] == pattern(received - 1) && (received == in.size() || in[received] == 0);
}

bool enough_memory() {
  const auto pages = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES));
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) > 5 * count;
}

}  // namespace

int main() {
  waybill::Runtime runtime;
  const auto world = runtime.world();
  // Both ranks decide alike: rank 0 asks and tells.
  int go = enough_memory() ? 1 : 0;
  if (world.rank() == 0) world.send(waybill::value(go), 1);
  else world.recv(waybill::value(go), 0);
  if (go == 0) {
    if (world.rank() == 0) std::printf("skipped: too little memory\n");
    return 77;
  }
  bool good = true;
  if (world.rank() == 0) {
    std::vector<char> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = pattern(i);
    waybill::Work send = world.isend(out, 1, 1);
    send.wait();
    world.send(std::span(out).first(count - 4), 1, 2);  // shorter than the buffer there
  } else {
    std::vector<char> in(count);
    waybill::Work receive = world.irecv(in, 0, 1);
    receive.wait();
    good = receive.status().elements() == count && right(in, count);
    std::fill(in.end() - 8, in.end(), 0);
    const waybill::Status status = world.recv(in, 0, 2);
    good = good && status.elements() == count - 4 && right(in, count - 4);
  }
  if (!good) std::printf("rank %d: wrong bytes\n", world.rank());
  return good && runtime.findings() == 0 ? 0 : 1;
}
