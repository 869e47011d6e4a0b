// SPDX-License-Identifier: BSD-3-Clause
// A program that sends, leaves a receive in flight, and then gets into trouble in the
// way that its argument names. check_flight.py looks at the records it leaves.
#include <mpi.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "waybill/waybill.hpp"

namespace {

void say(std::string_view text) { static_cast<void>(!write(2, text.data(), text.size())); }

void handle(int signal) {
  say(signal == SIGUSR1 ? "the program's handler of SIGUSR1\n"
                        : "the program's handler of SIGTERM\n");
}

void handle_fault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  say(info->si_addr != nullptr ? "the program's handler of SIGSEGV\n" : "no address\n");
  _exit(7);
}

void exchange(const waybill::Communicator& comm) {
  const int other = 1 - comm.rank();
  const std::vector<char> out(64, 'x');
  std::vector<char> in(64);
  waybill::Work receive = comm.irecv(in, other, 3);
  waybill::Work send = comm.isend(out, other, 3);
  receive.wait();
  send.wait();
}

void touch_nothing() {
  void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

void install_handlers() {
  signal(SIGUSR1, handle);
  signal(SIGTERM, handle);
  struct sigaction fault {};
  fault.sa_sigaction = handle_fault;
  fault.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &fault, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const bool handlers = argc > 2;
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (handlers) install_handlers();
  {
    waybill::Runtime runtime;
    const waybill::Communicator world = runtime.world();
    waybill::Communicator pair = world.dup();
    exchange(world);
    exchange(pair);
    int late = 0;
    int unheard = 0;  // of the receive that nobody waits for: it may arrive as long as pair lives
    waybill::Work pending = pair.irecv(waybill::value(late), 1 - world.rank(), 77);
    static_cast<void>(pending.wait_for(std::chrono::milliseconds(1)));
    MPI_Barrier(MPI_COMM_WORLD);
    if (way == "request") say("path " + runtime.write_flight_record("asked for") + "\n");
    if (way == "SIGUSR1") raise(SIGUSR1);
    if (way == "SIGTERM") kill(getpid(), SIGTERM);
    if (way == "SIGSEGV") touch_nothing();
    if (way == "SIGABRT") std::abort();
    if (way == "drop") {
      { const waybill::Work dropped = pair.irecv(waybill::value(unheard), 1 - world.rank(), 78); }
      pair.send(waybill::value(late), 1 - world.rank(), 78);
      say("path " + runtime.write_flight_record() + "\n");
    }
    const int value = 1;
    waybill::Work send = pair.isend(waybill::value(value), 1 - world.rank(), 77);
    pending.wait();
    send.wait();
  }
  if (handlers) raise(SIGUSR1);  // it is back
  MPI_Finalize();
  return 0;
}
