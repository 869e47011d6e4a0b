// SPDX-License-Identifier: BSD-3-Clause
// Many messages at once: order, tags that do not block each other, threads.
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

using test_support::message;
using test_support::Ring;
using waybill::Runtime;
using waybill::Work;

TEST_CASE("messages of one tag come in the order they were sent, whatever their size") {
  Runtime runtime;
  const auto plain = runtime.world();
  const auto exact = plain.dup({.exact_matching = true});
  const Ring ring(plain);
  for (const auto& comm : {plain, exact}) {
    std::mt19937 random(42);  // the same sizes on all ranks
    std::vector<std::vector<std::uint8_t>> out;
    std::vector<std::vector<std::uint8_t>> in;
    for (std::size_t i = 0; i < 60; ++i) {
      const std::size_t bytes = test_support::sizes[random() % 4] + random() % 3;
      out.push_back(message(ring.rank, i, bytes));
      in.emplace_back(bytes);
    }
    std::vector<Work> works;
    for (std::size_t i = 0; i < out.size(); ++i) {
      works.push_back(comm.irecv(in[i], ring.previous, 1));
      works.push_back(comm.isend(out[i], ring.next, 1));
    }
    waybill::wait_all(works);
    for (std::size_t i = 0; i < in.size(); ++i) {
      REQUIRE(in[i] == message(ring.previous, i, in[i].size()));
    }
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("tags are honoured: taken in the opposite order they do not block") {
  Runtime runtime;
  const auto world = runtime.world();
  for (const auto& comm : {world, world.dup({.exact_matching = true})}) {
    const Ring ring(comm);
    constexpr int count = 200;
    std::vector<std::vector<int>> out(count, std::vector<int>(20'000));
    std::vector<Work> sends;
    for (int tag = 0; tag < count; ++tag) {
      auto& data = out[static_cast<std::size_t>(tag)];
      data.assign(data.size(), tag * 10 + ring.rank);
      sends.push_back(comm.isend(data, ring.next, tag));
    }
    for (int tag = count - 1; tag >= 0; --tag) {
      std::vector<int> in(20'000);
      comm.recv(in, ring.previous, tag);
      REQUIRE(in.front() == tag * 10 + ring.previous);
      REQUIRE(in.back() == tag * 10 + ring.previous);
    }
    waybill::wait_all(sends);
  }
}

TEST_CASE("two communicators do not meet") {
  Runtime runtime;
  const auto one = runtime.world();
  const auto other = one.dup();
  const Ring ring(one);
  const int first = 1;
  const int second = 2;
  int got_first = 0;
  int got_second = 0;
  Work a = other.irecv(waybill::value(got_second), ring.previous);
  Work b = one.irecv(waybill::value(got_first), ring.previous);
  Work c = one.isend(waybill::value(first), ring.next);
  Work d = other.isend(waybill::value(second), ring.next);
  for (Work* work : {&a, &b, &c, &d}) work->wait();
  REQUIRE(got_first == 1);
  REQUIRE(got_second == 2);
}

TEST_CASE("ten thousand operations in flight") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  constexpr std::size_t count = 5'000;
  std::vector<std::uint64_t> in(count);
  std::vector<std::uint64_t> out(count);
  std::vector<Work> works;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = i * 1000 + static_cast<std::uint64_t>(ring.rank);
    works.push_back(world.irecv(waybill::value(in[i]), ring.previous, static_cast<int>(i)));
  }
  for (std::size_t i = count; i-- > 0;) {
    works.push_back(world.isend(waybill::value(out[i]), ring.next, static_cast<int>(i)));
  }
  waybill::wait_all(works);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(in[i] == i * 1000 + static_cast<std::uint64_t>(ring.previous));
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("eight threads post and wait at once") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 100; ++i) {
        const std::size_t bytes = test_support::sizes[1 + (i + static_cast<std::size_t>(t)) % 3];
        const auto out = message(ring.rank, i, bytes);
        std::vector<std::uint8_t> in(bytes);
        Work receive = world.irecv(in, ring.previous, t);
        Work send = world.isend(out, ring.next, t);
        receive.wait();
        send.wait();
        if (in != message(ring.previous, i, bytes)) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  REQUIRE(wrong == 0);
  REQUIRE(runtime.findings() == 0);
}
