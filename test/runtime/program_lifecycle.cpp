// SPDX-License-Identifier: BSD-3-Clause
// One way for a program to live with a Runtime per argument. Exit status 0 if it
// went as it should.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "waybill/mpi.hpp"
#include "waybill/waybill.hpp"

namespace {

using waybill::Errc;
using waybill::Error;
using waybill::Runtime;
using waybill::Work;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::_Exit(3);
}

template <class Call>
void require_error(Errc code, Call&& call, const char* what) {
  try {
    call();
  } catch (const Error& error) {
    require(error.code() == code, what);
    return;
  }
  require(false, what);
}

void exchange(const waybill::Communicator& comm) {
  const int next = (comm.rank() + 1) % comm.size();
  const int previous = (comm.rank() + comm.size() - 1) % comm.size();
  for (const std::size_t bytes : {4UL, 4096UL, 1UL << 20}) {
    const std::vector<char> out(bytes, static_cast<char>(comm.rank()));
    std::vector<char> in(bytes, 99);
    Work receive = comm.irecv(in, previous);
    Work send = comm.isend(out, next);
    receive.wait();
    send.wait();
    require(in.back() == static_cast<char>(previous), "the message came");
  }
}

void plain() {
  Runtime runtime;
  exchange(runtime.world());
}

void second() {
  Runtime runtime;
  require_error(
      Errc::already_running, [] { Runtime other; }, "a second Runtime is refused");
  exchange(runtime.world());
}

void explicit_shutdown() {
  Runtime runtime;
  const auto world = runtime.world();
  exchange(world);
  runtime.shutdown();
  runtime.shutdown();
  require_error(
      Errc::not_running, [&] { static_cast<void>(world.rank()); }, "calls after it fail");
  require_error(
      Errc::not_running, [] { static_cast<void>(waybill::info()); }, "info fails");
  require_error(
      Errc::not_running, [] { Runtime late; }, "MPI cannot start again");
  require(!Runtime::running(), "it is not running");
}

void fork_child() {
  Runtime runtime;
  const auto world = runtime.world();
  int in = 0;
  Work receive = world.irecv(waybill::value(in), world.rank(), 8);
  const pid_t child = fork();
  if (child == 0) {
    require_error(
        Errc::forked_child, [&] { static_cast<void>(world.rank()); }, "child: rank");
    require_error(
        Errc::forked_child, [&] { receive.wait(); }, "child: wait");
    require_error(
        Errc::forked_child, [] { Runtime mine; }, "child: Runtime");
    { const Work dropped = std::move(receive); }
    runtime.shutdown();
    std::_Exit(0);
  }
  int status = -1;
  require(waitpid(child, &status, 0) == child && status == 0, "the child went well");
  const int out = 1;
  world.send(waybill::value(out), world.rank(), 8);
  receive.wait();
  exchange(world);
}

void after_finalize() {
  MPI_Init(nullptr, nullptr);
  MPI_Finalize();
  require_error(
      Errc::not_running, [] { Runtime late; }, "after MPI_Finalize");
}

void application_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 3; ++i) {  // one after the other is fine
    Runtime runtime;
    exchange(runtime.world());
  }
  int finalised = 1;
  MPI_Finalized(&finalised);
  require(finalised == 0, "the application's MPI is left alone");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}

/// The application ends MPI too early: the Runtime ends in order before.
void early_finalize() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  Runtime runtime;
  const auto world = runtime.world();
  exchange(world);
  MPI_Finalize();
  require_error(
      Errc::not_running, [&] { static_cast<void>(world.rank()); }, "calls after it fail");
}

/// The same where the Runtime started MPI.
void early_finalize_of_ours() {
  Runtime runtime;
  exchange(runtime.world());
  MPI_Finalize();
}

void at_level(waybill::ThreadLevel level) {
  waybill::Options options;
  options.thread_level = level;
  Runtime runtime(options);
  require(runtime.thread_level() == level, "the level is as asked for");
  require(runtime.progress_thread() == (level >= waybill::ThreadLevel::serialized), "thread");
  exchange(runtime.world());
  {
    const waybill::MpiLock lock;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (level >= waybill::ThreadLevel::serialized) return;
  std::thread([&] {
    int x = 0;
    require_error(
        Errc::wrong_thread, [&] { static_cast<void>(runtime.world().irecv(waybill::value(x), 0)); },
        "another thread is refused");
  }).join();
}

void application_single() {
  MPI_Init(nullptr, nullptr);
  {
    Runtime runtime;
    exchange(runtime.world());
  }
  MPI_Finalize();
}

void never_matched() {
  Runtime runtime;
  const auto world = runtime.world();
  static int in = 0;
  static Work lost;
  if (world.rank() == 0) lost = world.irecv(waybill::value(in), 1, 5);
  exchange(world);
}

void never_received() {
  Runtime runtime;
  const auto world = runtime.world();
  static const std::vector<char> out(std::size_t{4} << 20);
  static Work lost;
  if (world.rank() == 0) lost = world.isend(out, 1, 5);
  exchange(world);
}

/// The partner comes while shutdown waits.
void drained() {
  Runtime runtime;
  const auto world = runtime.world();
  static std::vector<char> memory(std::size_t{4} << 20);
  static Work lost;
  if (world.rank() == 0) {
    lost = world.irecv(memory, 1, 5);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    world.send(memory, 0, 5);
  }
}

/// Rank 1 throws and leaves rank 0 waiting for it.
void throws_alone() {
  Runtime runtime;
  const auto world = runtime.world();
  int in = 0;
  if (world.rank() == 1) throw std::runtime_error("on purpose");
  world.recv(waybill::value(in), 1);
}

void static_handle() {
  static Work kept;
  static const int out = 1;
  Runtime runtime;
  const auto world = runtime.world();
  int in = 0;
  kept = world.isend(waybill::value(out), 1 - world.rank(), 1);
  world.recv(waybill::value(in), 1 - world.rank(), 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> ways{
      {"plain", plain},
      {"second", second},
      {"explicit", explicit_shutdown},
      {"fork", fork_child},
      {"after-finalize", after_finalize},
      {"application-mpi", application_mpi},
      {"application-single", application_single},
      {"early-finalize", early_finalize},
      {"early-finalize-of-ours", early_finalize_of_ours},
      {"serialized", [] { at_level(waybill::ThreadLevel::serialized); }},
      {"funneled", [] { at_level(waybill::ThreadLevel::funneled); }},
      {"single", [] { at_level(waybill::ThreadLevel::single); }},
      {"never-matched", never_matched},
      {"never-received", never_received},
      {"drained", drained},
      {"throws-alone", throws_alone},
      {"static-handle", static_handle},
  };
  const auto way = ways.find(argc > 1 ? argv[1] : "");
  if (way == ways.end()) return 2;
  try {
    way->second();
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "caught: %s\n", error.what());
    return 1;
  }
  return 0;
}
