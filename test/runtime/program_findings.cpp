// SPDX-License-Identifier: BSD-3-Clause
// One way to make mistakes per argument, for what becomes of findings. Two or more
// processes; only rank 0 makes mistakes. Prints "end of main" by each process.
#include <mpi.h>

#include <csignal>
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

void dropped_and_killed() {
  const Runtime runtime;
  const Communicator world = runtime.world();
  drop(world, 12, SourceLocation::current("src/halo.cpp", "exchange", 12));
  if (world.rank() == 0) std::raise(SIGKILL);
  int in = 0;
  world.recv(waybill::value(in), 0, 99);
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

template <class Call>
void say_what_is_thrown(Call&& call) {
  std::string line = "nothing thrown\n";
  try {
    call();
  } catch (const waybill::Error& error) {
    const bool is_finding = error.code() == waybill::Errc::finding;
    line = std::string(is_finding ? "thrown, finding: " : "thrown, other: ") + error.what() + "\n";
  }
  std::fputs(line.c_str(), stdout);  // in one piece, where stdout is not buffered
}

/// Rank 0 catches one finding of each: a post, the background thread, shutdown.
void thrown() {
  Runtime runtime;
  const Communicator world = runtime.world();
  static int in[2] = {};
  static Work unwaited;
  static const std::vector<int> large(1000);
  if (world.rank() == 0) {
    Work first = world.irecv(in, 1, 1);
    say_what_is_thrown([&] { Work second = world.irecv(in, 1, 2); });
    world.send(waybill::value(out), 1, 3);
    first.wait();
    static int small = 0;
    world.irecv(waybill::value(small), 1, 5).detach();
    Work idle = world.irecv(in, 1, 9);
    say_what_is_thrown([&] {
      world.send(waybill::value(out), 1, 3);
      while (!idle.test()) std::this_thread::yield();  // until the background thread finds it
    });
    idle.cancel();
    unwaited = world.irecv(in, 1, 6);
    world.send(waybill::value(out), 1, 7);
  } else if (world.rank() == 1) {
    int go = 0;
    world.recv(waybill::value(go), 0, 3);
    world.send(in, 0, 1);
    world.recv(waybill::value(go), 0, 3);
    world.send(large, 0, 5);
    world.recv(waybill::value(go), 0, 7);
    world.send(in, 0, 6);
  }
  say_what_is_thrown([&] { runtime.shutdown(); });
  runtime.shutdown();
}

/// The Runtime ends inside MPI_Finalize, and finds something.
void early_finalize() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  Runtime runtime;
  const Communicator world = runtime.world();
  static Work unwaited;
  static int in = 0;
  if (world.rank() == 0) {
    unwaited = world.irecv(waybill::value(in), 1, 1);
    int done = 0;
    world.recv(waybill::value(done), 1, 2);
  } else if (world.rank() == 1) {
    world.send(waybill::value(out), 0, 1);
    world.send(waybill::value(out), 0, 2);
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
      {"dropped-and-killed", dropped_and_killed},
      {"dropped-and-hang", dropped_and_hang},
      {"truncated-and-hang", truncated_and_hang},
      {"two-runtimes", two_runtimes},
      {"thrown", thrown},
      {"early-finalize", early_finalize},
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
