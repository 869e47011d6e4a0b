// SPDX-License-Identifier: BSD-3-Clause
// What path_length.sh counts the instructions of: one message of 8 B from a process
// to itself and the wait for it, by raw MPI or by Waybill.
//
//   waybill-path-length raw|waybill MESSAGES
//
// Counted is what happens inside the functions counted_*: the post of one side, its
// wait and the end of its handle. The other side is posted and waited for outside.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "waybill/waybill.hpp"

namespace {

constexpr int tag = 3;
using Bytes = std::array<std::byte, 8>;

struct Raw {
  MPI_Comm self;

  [[nodiscard]] MPI_Request send(const Bytes& data) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data.data(), sizeof data, MPI_BYTE, 0, tag, self, &request);
    return request;
  }
  [[nodiscard]] MPI_Request receive(Bytes& data) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data.data(), sizeof data, MPI_BYTE, 0, tag, self, &request);
    return request;
  }
  static void wait(MPI_Request& request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
};

struct Waybill {
  waybill::Communicator self;

  [[nodiscard]] waybill::Work send(const Bytes& data) const { return self.isend(data, 0, tag); }
  [[nodiscard]] waybill::Work receive(Bytes& data) const { return self.irecv(data, 0, tag); }
  static void wait(waybill::Work& work) { work.wait(); }
};

template <class Side>
[[gnu::noinline]] void counted_send(const Side& side, const Bytes& data) {
  auto handle = side.send(data);
  Side::wait(handle);
}

template <class Side>
[[gnu::noinline]] void counted_receive(const Side& side, Bytes& data) {
  auto handle = side.receive(data);
  Side::wait(handle);
}

template <class Side>
void run(const Side& side, long messages) {
  const Bytes out{};
  alignas(256) Bytes in{};
  for (long i = 0; i < messages; ++i) {
    auto receive = side.receive(in);
    counted_send(side, out);
    Side::wait(receive);
  }
  for (long i = 0; i < messages; ++i) {
    auto send = side.send(out);
    counted_receive(side, in);
    Side::wait(send);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view side = argc == 3 ? argv[1] : "";
  const long messages = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  if ((side != "raw" && side != "waybill") || messages < 1) {
    std::fputs("usage: waybill-path-length raw|waybill MESSAGES\n", stderr);
    return 2;
  }
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (side == "raw") {
    MPI_Comm self = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    run(Raw{self}, messages);
    MPI_Comm_free(&self);
  } else {
    const waybill::Runtime runtime;
    run(Waybill{runtime.self()}, messages);
  }
  MPI_Finalize();
}
