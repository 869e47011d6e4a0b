// SPDX-License-Identifier: BSD-3-Clause
// Random ends of handles on many threads, for the race detector.
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/communicator.hpp"
#include "waybill/wait.hpp"

using namespace std::chrono_literals;
using test_support::MockRuntime;
using waybill::Communicator;
using waybill::Work;

namespace {

/// Ends a handle in one of all legal ways; false if it answered wrongly. (Catch's
/// assertions are for one thread.)
bool finish(Work work, std::mt19937& random) {
  switch (random() % 4) {
    case 0: work.wait(); break;
    case 1:
      while (!work.test()) std::this_thread::yield();
      break;
    case 2:
      while (!work.wait_for(std::chrono::microseconds(random() % 200))) {
      }
      break;
    default: {
      Work one[1] = {std::move(work)};
      return waybill::wait_any(one) == std::size_t{0};
    }
  }
  return true;
}

/// The engine finishes what was dropped or detached.
bool all_gone(MockRuntime& runtime) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (runtime.transport.in_flight() != 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(1ms);
  }
  return runtime.transport.in_flight() == 0;
}

/// Sends to itself on a tag of its own and checks what comes.
void traffic(const Communicator& comm, int tag, unsigned seed, std::atomic<int>& wrong) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> out(64);
  std::vector<std::uint32_t> in(64);
  for (int round = 0; round < 300; ++round) {
    for (auto& value : out) value = static_cast<std::uint32_t>(random());
    std::vector<Work> works;
    if (random() % 2 == 0) {
      works.push_back(comm.irecv(in, 0, tag));
      works.push_back(comm.isend(out, 0, tag));
    } else {
      works.push_back(comm.isend(out, 0, tag));
      works.push_back(comm.irecv(in, 0, tag));
    }
    if (random() % 8 == 0) {
      comm.isend(std::vector<int>{1}, 0, tag + 1000).detach();
      int one = 0;
      comm.recv(waybill::value(one), 0, tag + 1000);
      if (one != 1) ++wrong;
    }
    for (auto& work : works) {
      if (!finish(std::move(work), random)) ++wrong;
    }
    if (in != out) ++wrong;
  }
}

}  // namespace

TEST_CASE("eight threads, every end of a handle, no finding and no wrong byte") {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    MockRuntime runtime({.seed = seed});
    runtime.transport.sends_end_at_post = seed % 2 == 0;
    const Communicator world = runtime.world();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back(
          [&, t] { traffic(world, t, seed * 100 + static_cast<unsigned>(t), wrong); });
    }
    for (auto& thread : threads) thread.join();
    REQUIRE(wrong == 0);
    REQUIRE(runtime.findings.take().empty());
    REQUIRE(all_gone(runtime));
    REQUIRE(runtime.transport.collisions == 0);
  }
}

TEST_CASE("handles dropped on many threads still deliver") {
  MockRuntime runtime;
  const Communicator world = runtime.world();
  constexpr int each = 300;
  std::vector<std::vector<int>> in(4, std::vector<int>(each, -1));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        {
          const Work lost = world.irecv(
              waybill::value(in[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)]), 0, t);
        }
        world.isend(std::vector<int>{i}, 0, t).detach();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  REQUIRE(all_gone(runtime));
  REQUIRE(runtime.transport.collisions == 0);
  runtime.engine.stop();  // so that the buffers can be read
  for (const auto& mine : in) {
    for (int i = 0; i < each; ++i) REQUIRE(mine[static_cast<std::size_t>(i)] == i);
  }
  REQUIRE(runtime.findings.take().size() == 4 * each);
}

TEST_CASE("a handle may be finished on another thread than it was posted on") {
  MockRuntime runtime;
  const Communicator world = runtime.world();
  for (int i = 0; i < 200; ++i) {
    int in = 0;
    Work receive = world.irecv(waybill::value(in), 0);
    Work send = world.isend(waybill::value(i), 0);
    std::thread([&] {
      receive.wait();
      Work mine = std::move(send);
      mine.wait();
    }).join();
    REQUIRE(in == i);
  }
  REQUIRE(runtime.findings.take().empty());
}
