// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/wait.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/communicator.hpp"

using namespace std::chrono_literals;
using test_support::MockRuntime;
using waybill::Errc;
using waybill::Error;
using waybill::Work;

namespace {

/// Receives with tags 0, 1, 2 ... into one array.
std::vector<Work> receives(const waybill::Communicator& comm, std::vector<int>& in) {
  std::vector<Work> works;
  for (std::size_t i = 0; i < in.size(); ++i) {
    works.push_back(comm.irecv(waybill::value(in[i]), 0, static_cast<int>(i)));
  }
  return works;
}

void send(const waybill::Communicator& comm, int tag) { comm.send(waybill::value(tag), 0, tag); }

}  // namespace

TEST_CASE("wait_all waits for all, and passes over empty handles") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> in(50, -1);
  auto works = receives(world, in);
  works.emplace_back();
  for (int i = 0; i < 50; ++i) send(world, i);
  waybill::wait_all(works);
  for (int i = 0; i < 50; ++i) REQUIRE(in[static_cast<std::size_t>(i)] == i);
  waybill::wait_all(works);
  waybill::wait_all({});
}

TEST_CASE("wait_all of hundreds that end in any order, some of them before") {
  const bool thread = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    MockRuntime runtime({.seed = seed, .most_looks = 50, .thread = thread});
    runtime.transport.sends_end_at_post = seed % 2 == 0;
    const auto world = runtime.world();
    std::mt19937_64 random(seed);
    std::vector<int> in(100 + random() % 300, -1);
    std::vector<int> out(in.size());
    auto works = receives(world, in);
    std::vector<std::size_t> order(in.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      out[i] = static_cast<int>(i);
      works.push_back(world.isend(waybill::value(out[i]), 0, out[i]));
    }
    std::shuffle(works.begin(), works.end(), random);
    for (int i = 0; i < 50; ++i) {
      const std::size_t seen = random() % works.size();
      if (random() % 2 == 0) works[seen].wait();
      else if (!works[seen].test()) continue;
    }
    REQUIRE(waybill::wait_all_for(works, 20s));
    for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(in[i] == static_cast<int>(i));
    for (const Work& work : works) REQUIRE_NOTHROW(work.status());
    works.clear();
    REQUIRE(runtime.transport.collisions == 0);
    REQUIRE(runtime.findings.take().empty());
  }
}

TEST_CASE("wait_all with a deadline leaves the rest untouched") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> in(3, -1);
  auto works = receives(world, in);
  send(world, 0);
  send(world, 2);
  REQUIRE_FALSE(waybill::wait_all_for(works, 20ms));
  REQUIRE(works[0].test());
  REQUIRE_FALSE(works[1].test());
  send(world, 1);
  REQUIRE(waybill::wait_all_for(works, 10s));
}

TEST_CASE("wait_any names each once, then nothing") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> in(3, -1);
  auto works = receives(world, in);
  REQUIRE_FALSE(waybill::wait_any_for(works, 5ms).has_value());
  send(world, 1);
  REQUIRE(waybill::wait_any(works) == 1);
  send(world, 2);
  REQUIRE(waybill::wait_any(works) == 2);
  send(world, 0);
  REQUIRE(waybill::wait_any(works) == 0);
  REQUIRE_FALSE(waybill::wait_any(works).has_value());
  REQUIRE_FALSE(waybill::wait_any({}).has_value());
}

TEST_CASE("wait_some gives all that are complete") {
  MockRuntime runtime({.most_looks = 0});
  const auto world = runtime.world();
  std::vector<int> in(4, -1);
  auto works = receives(world, in);
  REQUIRE(waybill::wait_some_for(works, 5ms).empty());
  send(world, 3);
  send(world, 1);
  REQUIRE(waybill::wait_some(works) == std::vector<std::size_t>{1, 3});
  send(world, 0);
  send(world, 2);
  REQUIRE(waybill::wait_some_for(works, 10s) == std::vector<std::size_t>{0, 2});
  REQUIRE(waybill::wait_some(works).empty());
}

TEST_CASE("a failure among many is thrown after all are complete") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const int two[2] = {1, 2};
  std::vector<int> in(3, -1);
  auto works = receives(world, in);
  send(world, 0);
  world.send(two, 0, 1);  // too long for one int
  send(world, 2);
  REQUIRE_THROWS_AS(waybill::wait_all(works), Error);
  REQUIRE(in[0] == 0);
  REQUIRE(in[2] == 2);
  REQUIRE_FALSE(works[0].error());
  REQUIRE(works[1].error() == Errc::truncated);
}
