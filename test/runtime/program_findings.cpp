// SPDX-License-Identifier: BSD-3-Clause
// One way to make mistakes per argument, for what becomes of findings. Two or more
// processes; only rank 0 makes mistakes. Prints "end of main" by each process.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "waybill/waybill.hpp"

namespace {

using waybill::Communicator;
using waybill::Runtime;
using waybill::SourceLocation;
using waybill::Work;

const int out = 7;

/// Rank 0 drops the handles of so many sends, all posted by one line.
void drop(const Communicator& world, int times, const SourceLocation& where) {
  for (int i = 0; i < times; ++i) {
    if (world.rank() == 0) {
      const Work dropped = world.isend(waybill::value(out), 1, 1, where);
    } else if (world.rank() == 1) {
      int in = 0;
      world.recv(waybill::value(in), 0, 1);
    }
  }
}

void clean() {
  const Runtime runtime;
  drop(runtime.world(), 0, SourceLocation::current());
}

void dropped() {
  const Runtime runtime;
  drop(runtime.world(), 12, SourceLocation::current("src/halo.cpp", "exchange", 12));
  drop(runtime.world(), 1, SourceLocation::current("src/halo.cpp", "gather", 34));
}

/// Files and functions whose names are trouble for every format.
void hostile() {
  const Runtime runtime;
  drop(runtime.world(), 1,
       SourceLocation::current("dir/a\"b\\c<d>&'\n\t\x01\xFF\xC3.cpp", "f<\"]]>&amp;", 1));
}

/// Two posts that share bytes: two places in one finding.
void overlap() {
  const Runtime runtime;
  const Communicator world = runtime.world();
  if (world.rank() != 0) return;
  int in[2] = {};
  Work first = world.irecv(in, 0, 1, SourceLocation::current("src/halo.cpp", "exchange", 12));
  Work second = world.irecv(in, 0, 2, SourceLocation::current("src/halo.cpp", "exchange", 13));
  const int data[2] = {1, 2};
  world.send(data, 0, 1);
  world.send(data, 0, 2);
  first.wait();
  second.wait();
}

/// The mistake ends the job, or rank 1 would wait for ever.
void dropped_and_hang() {
  const Runtime runtime;
  const Communicator world = runtime.world();
  drop(world, 1, SourceLocation::current("src/halo.cpp", "exchange", 12));
  int in = 0;
  if (world.rank() == 1) world.recv(waybill::value(in), 0, 99);
  while (world.rank() == 0) std::this_thread::yield();  // no call that could notice
}

/// The background thread finds it, while this one computes.
void truncated_and_hang() {
  const Runtime runtime;
  const Communicator world = runtime.world();
  static int small = 0;
  static std::vector<int> large(1000);
  if (world.rank() == 0) world.irecv(waybill::value(small), 1, 5).detach();
  if (world.rank() == 1) world.send(large, 0, 5);
  int in = 0;
  if (world.rank() != 0) world.recv(waybill::value(in), 0, 99);
  while (world.rank() == 0) std::this_thread::yield();
}

/// One Runtime after the other, each with one finding.
void two_runtimes() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  for (const int line : {12, 34}) {
    const Runtime runtime;
    drop(runtime.world(), 1,
         SourceLocation::current("src/halo.cpp", "exchange", static_cast<unsigned>(line)));
  }
  MPI_Finalize();
}

struct SaysGoodbye {
  ~SaysGoodbye() { std::printf("destructor\n"); }
};

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> ways{
      {"clean", clean},
      {"dropped", dropped},
      {"hostile", hostile},
      {"overlap", overlap},
      {"dropped-and-hang", dropped_and_hang},
      {"truncated-and-hang", truncated_and_hang},
      {"two-runtimes", two_runtimes},
  };
  const auto way = ways.find(argc > 1 ? argv[1] : "");
  if (way == ways.end()) return 1;
  static const SaysGoodbye goodbye;
  std::atexit([] { std::printf("handler\n"); });
  way->second();
  // all of it is still in a buffer when main ends
  std::cout << "end of main, by cout\n";
  std::printf("end of main, by printf\n");
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
