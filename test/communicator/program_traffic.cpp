// SPDX-License-Identifier: BSD-3-Clause
// Random legal traffic: program-communicator_traffic SECONDS SEED [IN_FLIGHT]
//
// Eight threads on every rank. In each round all ranks draw the same plan from
// the seed, so that each knows what it must receive; who posts when and how a
// handle ends is drawn anew on each rank. Ends with status 0 if every byte was
// right and nothing was found.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "support/ring.hpp"
#include "waybill/waybill.hpp"

namespace {

using waybill::Communicator;
using waybill::Work;
using Bytes = std::vector<std::uint8_t>;

constexpr int threads = 8;

/// With Open MPI 4.1 a receive that was to be cancelled while other threads call MPI
/// now and then never ends; see docs/architecture.md.
bool can_cancel = true;

struct Message {
  int source;
  int destination;
  int tag;
  std::size_t bytes;
  bool any_source;
  bool strided;
};

/// The same on all ranks. Tags are unique over more rounds than ranks can be apart,
/// so that a wildcard takes no message of the next round.
std::vector<Message> make_plan(std::mt19937_64& random, int ranks, std::size_t count, int thread,
                               std::size_t round, bool exact) {
  std::vector<Message> plan(count);
  for (std::size_t i = 0; i < count; ++i) {
    Message& message = plan[i];
    message.source = static_cast<int>(random() % static_cast<unsigned>(ranks));
    message.destination = static_cast<int>(random() % static_cast<unsigned>(ranks));
    message.tag = thread + threads * static_cast<int>(i + count * (round % 1000));
    const auto kind = random() % 100;
    message.bytes = kind < 90 ? random() % 256 : kind < 99 ? random() % 8192 : random() % 200'000;
    message.any_source = !exact && random() % 4 == 0;
    message.strided = random() % 4 == 0;
  }
  return plan;
}

/// One message of the plan on this rank: its memory and its handle.
struct Part {
  const Message* message;
  bool is_send;
  Bytes memory;  // of a strided one every other byte is used
  Work work;
};

void post(Part& part, const Communicator& comm) {
  const Message& m = *part.message;
  const int from = m.any_source ? waybill::any_source : m.source;
  std::uint8_t* const memory = part.memory.data();
  if (m.strided) {
    const waybill::StridedView<std::uint8_t> view{memory, m.bytes, 1, 2};
    if (part.is_send) part.work = comm.isend(view, m.destination, m.tag);
    else part.work = comm.irecv(view, from, m.tag);
  } else if (part.is_send) {
    part.work = comm.isend(part.memory, m.destination, m.tag);
  } else {
    part.work = comm.irecv(part.memory, from, m.tag);
  }
}

/// Waits in one of all legal ways; an unmatched receive may be taken back and posted again.
void finish(Part& part, const Communicator& comm, std::mt19937_64& dice) {
  switch (dice() % 5) {
    case 0: part.work.wait(); break;
    case 1:
      while (!part.work.test()) std::this_thread::yield();
      break;
    case 2:
      while (!part.work.wait_for(std::chrono::microseconds(dice() % 500))) {
      }
      break;
    case 3:
      if (can_cancel && !part.is_send && part.work.cancel()) post(part, comm);
      part.work.wait();
      break;
    default: static_cast<void>(waybill::wait_any({&part.work, 1}));
  }
}

bool right(const Part& part) {
  const Message& m = *part.message;
  const std::size_t step = m.strided ? 2 : 1;
  for (std::size_t i = 0; i < m.bytes; ++i) {
    const auto expected = test_support::pattern(m.source, static_cast<std::size_t>(m.tag), i);
    if (part.memory[i * step] != expected) return false;
  }
  return true;
}

std::vector<Part> make_parts(const std::vector<Message>& plan, int rank) {
  std::vector<Part> parts;
  for (const Message& m : plan) {
    for (const bool is_send : {true, false}) {
      if ((is_send ? m.source : m.destination) != rank) continue;
      const std::size_t step = m.strided ? 2 : 1;
      Part part{&m, is_send, Bytes(m.bytes * step, 0), Work()};
      for (std::size_t i = 0; is_send && i < m.bytes; ++i) {
        part.memory[i * step] = test_support::pattern(m.source, static_cast<std::size_t>(m.tag), i);
      }
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

struct Shared {
  std::atomic<std::size_t> messages{0};
  std::atomic<std::size_t> wrong{0};
};

void run_thread(const Communicator& comm, const Communicator& control, int thread,
                std::uint64_t seed, std::size_t count, double seconds, Shared& shared) {
  std::mt19937_64 plans(seed * 1000 + static_cast<std::uint64_t>(thread));
  std::mt19937_64 dice(seed + 77 * static_cast<std::uint64_t>(comm.rank() * threads + thread));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int go_on = 1;
  for (std::size_t round = 0;; ++round) {
    // rank 0 decides for this thread of all ranks whether there is another round
    if (comm.rank() == 0) {
      go_on = std::chrono::steady_clock::now() < end && shared.wrong == 0 ? 1 : 0;
      for (int rank = 1; rank < comm.size(); ++rank) {
        control.send(waybill::value(go_on), rank, thread);
      }
    } else {
      control.recv(waybill::value(go_on), 0, thread);
    }
    if (go_on == 0) return;
    const auto plan = make_plan(plans, comm.size(), count, thread, round, comm.exact_matching());
    std::vector<Part> parts = make_parts(plan, comm.rank());
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), dice);
    for (const std::size_t i : order) post(parts[i], comm);
    std::shuffle(order.begin(), order.end(), dice);
    for (const std::size_t i : order) finish(parts[i], comm, dice);
    for (const Part& part : parts) {
      if (!part.is_send && !right(part)) ++shared.wrong;
      ++shared.messages;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::size_t in_flight = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 10'000;
  waybill::Runtime runtime;
  can_cancel = waybill::info().mpi_library.find("Open MPI") == std::string::npos;
  const Communicator world = runtime.world();
  const Communicator control = world.dup();
  const Communicator exact = world.dup({.exact_matching = true});
  Shared shared;
  // a message counts at its source and at its destination
  const std::size_t count = in_flight * static_cast<std::size_t>(world.size()) / (2 * threads);
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      run_thread(thread % 2 == 0 ? world : exact, control, thread, seed, count, seconds, shared);
    });
  }
  for (std::thread& thread : running) thread.join();
  std::printf("rank %d: %zu operations, %zu wrong, %zu findings\n", world.rank(),
              shared.messages.load(), shared.wrong.load(), runtime.findings());
  return shared.wrong == 0 && runtime.findings() == 0 && runtime.in_flight() == 0 ? 0 : 1;
}
