// SPDX-License-Identifier: BSD-3-Clause
// Posting never waits for other ranks, and any number of collectives and messages may be in
// flight on several communicators, waited for in any order.
#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "collectives/oracle.hpp"
#include "support/catch.hpp"

using test_support::element;
using test_support::reduced;
using waybill::Communicator;
using waybill::in_place;
using waybill::Reduce;
using waybill::Runtime;
using waybill::Work;

namespace {

using Numbers = std::vector<long>;

Numbers numbers(int rank, std::size_t count, std::size_t first) {
  Numbers made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(element<long>(rank, first + i));
  return made;
}

Numbers reduced_numbers(int ranks, std::size_t count, std::size_t first) {
  Numbers made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(reduced<long>(Reduce::sum, ranks, first + i));
  return made;
}

/// An operation in flight with its buffers, and what they must hold in the end.
struct InFlight {
  Numbers from{};
  Numbers into{};
  Numbers expected{};
  Work work{};
};

using Post = std::function<void(const Communicator&, std::size_t, std::size_t, int, InFlight&)>;

/// Each with @p n elements, the first of which is element @p first of the ranks' contributions.
const std::vector<Post> posts{
    [](const Communicator& comm, std::size_t /*n*/, std::size_t /*first*/, int /*root*/,
       InFlight& in) { in.work = comm.barrier_async(); },
    [](const Communicator& comm, std::size_t n, std::size_t first, int root, InFlight& in) {
      in.expected = numbers(root, n, first);
      in.into = comm.rank() == root ? in.expected : Numbers(n);
      in.work = comm.broadcast_async(in.into, root);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int /*root*/, InFlight& in) {
      in.from = numbers(comm.rank(), n, first);
      in.into.resize(n);
      in.expected = reduced_numbers(comm.size(), n, first);
      in.work = comm.allreduce_async(in.from, in.into, Reduce::sum);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int /*root*/, InFlight& in) {
      in.into = numbers(comm.rank(), n, first);
      in.expected = reduced_numbers(comm.rank() + 1, n, first);
      in.work = comm.scan_async(in_place, in.into, Reduce::sum);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int root, InFlight& in) {
      in.from = numbers(comm.rank(), n, first);
      if (comm.rank() == root) {
        in.into.resize(n);
        in.expected = reduced_numbers(comm.size(), n, first);
      }
      in.work = comm.reduce_async(in.from, in.into, Reduce::sum, root);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int root, InFlight& in) {
      in.from = numbers(comm.rank(), n, first);
      for (int rank = 0; comm.rank() == root && rank < comm.size(); ++rank) {
        const Numbers part = numbers(rank, n, first);
        in.expected.insert(in.expected.end(), part.begin(), part.end());
      }
      in.into.resize(in.expected.size());
      in.work = comm.gather_async(in.from, in.into, root);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int root, InFlight& in) {
      const auto ranks = static_cast<std::size_t>(comm.size());
      if (comm.rank() == root) in.from = numbers(root, n * ranks, first);
      in.into.resize(n);
      in.expected = numbers(root, n, first + n * static_cast<std::size_t>(comm.rank()));
      in.work = comm.scatter_async(in.from, in.into, root);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int /*root*/, InFlight& in) {
      const auto ranks = static_cast<std::size_t>(comm.size());
      in.from = numbers(comm.rank(), n * ranks, first);
      for (int rank = 0; rank < comm.size(); ++rank) {
        const Numbers part = numbers(rank, n, first + n * static_cast<std::size_t>(comm.rank()));
        in.expected.insert(in.expected.end(), part.begin(), part.end());
      }
      in.into.resize(in.expected.size());
      in.work = comm.alltoall_async(in.from, in.into);
    },
    [](const Communicator& comm, std::size_t n, std::size_t first, int /*root*/, InFlight& in) {
      std::vector<std::size_t> counts;
      for (int rank = 0; rank < comm.size(); ++rank) {
        counts.push_back(n + static_cast<std::size_t>(rank));
        const Numbers part = numbers(rank, counts.back(), first);
        in.expected.insert(in.expected.end(), part.begin(), part.end());
      }
      in.from = numbers(comm.rank(), counts[static_cast<std::size_t>(comm.rank())], first);
      in.into.resize(in.expected.size());
      in.work = comm.allgatherv_async(in.from, in.into, counts);
    },
};

/// A message around a ring: a receive, with its send detached once it is through.
void post_messages(const Communicator& comm, std::size_t n, std::size_t first, int tag,
                   InFlight& receive, InFlight& send) {
  const int next = (comm.rank() + 1) % comm.size();
  const int previous = (comm.rank() + comm.size() - 1) % comm.size();
  receive.into.resize(n);
  receive.expected = numbers(previous, n, first);
  receive.work = comm.irecv(receive.into, previous, tag);
  send.from = numbers(comm.rank(), n, first);
  send.work = comm.isend(send.from, next, tag);
}

}  // namespace

TEST_CASE("a collective is posted while the others have not come") {
  Runtime runtime;
  const auto world = runtime.world();
  const int late = world.size() - 1;
  for (const std::size_t n : {1, 100'000}) {
    for (std::size_t kind = 0; kind < posts.size(); ++kind) {
      InFlight in;
      if (world.rank() == late) {
        // Were it not so, nobody would tell this rank, and the test would not end.
        for (int rank = 0; rank < late; ++rank) {
          int posted = 0;
          static_cast<void>(world.recv(waybill::value(posted), rank, 77));
        }
      }
      posts[kind](world, n, kind, 0, in);
      if (world.rank() != late) {
        const bool needs_all = kind == 0 || kind == 2 || kind == 7 || kind == 8;
        if (needs_all) REQUIRE(!in.work.wait_for(std::chrono::milliseconds(1)));
        const int posted = 1;
        world.send(waybill::value(posted), late, 77);
      }
      in.work.wait();
      REQUIRE(in.into == in.expected);
    }
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("collectives and messages in flight at once on three communicators") {
  Runtime runtime;
  const auto world = runtime.world();
  const Communicator comms[] = {world, world.dup(), world.dup({.exact_matching = true})};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 common(seed);  // the same choices on all ranks
    std::mt19937 own(seed * 1000 + static_cast<unsigned>(world.rank()));
    std::vector<std::unique_ptr<InFlight>> all;
    for (std::size_t i = 0; i < 50; ++i) {
      const Communicator& comm = comms[common() % 3];
      const std::size_t n = common() % 4 == 0 ? 0 : common() % 3000;
      const int root = static_cast<int>(common() % static_cast<unsigned>(world.size()));
      const std::size_t kind = common() % (posts.size() + 2);
      InFlight& in = *all.emplace_back(std::make_unique<InFlight>());
      if (kind < posts.size()) {
        posts[kind](comm, n, i, root, in);
      } else {
        InFlight& send = *all.emplace_back(std::make_unique<InFlight>());
        post_messages(comm, n, i, static_cast<int>(i), in, send);
      }
      if (own() % 8 == 0) static_cast<void>(all[own() % all.size()]->work.test());
    }
    std::shuffle(all.begin(), all.end(), own);
    for (const auto& in : all) in->work.wait();
    for (const auto& in : all) {
      if (in->expected.empty()) continue;
      REQUIRE(in->into == in->expected);
    }
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("a communicator may be freed while collectives are in flight on it") {
  Runtime runtime;
  const auto world = runtime.world();
  for (std::size_t i = 0; i < 20; ++i) {
    Communicator comm = world.dup();
    InFlight sum;
    InFlight parts;
    InFlight barrier;
    posts[2](comm, 20'000, i, 0, sum);
    posts[7](comm, 100, i, 0, parts);
    posts[0](comm, 0, 0, 0, barrier);
    if (i % 3 == 0) parts.work.wait();
    comm.free();
    barrier.work.wait();
    sum.work.wait();
    parts.work.wait();
    REQUIRE(sum.into == sum.expected);
    REQUIRE(parts.into == parts.expected);
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("collectives whose handles are given away go on") {
  const std::size_t n = 50'000;
  Numbers mine = numbers(0, n, 0);
  Numbers sum(n);
  Runtime runtime;
  const auto world = runtime.world();
  world.allreduce_async(mine, sum, Reduce::sum).detach();
  world.barrier_async().detach();
  Numbers root_numbers(n, world.rank() == 0 ? 3 : 0);
  world.broadcast(root_numbers);
  REQUIRE(root_numbers == Numbers(n, 3));
  world.barrier();
  runtime.shutdown();
  REQUIRE(runtime.findings() == 0);
  REQUIRE(sum[7] % mine[7] == 0);
  REQUIRE(sum[7] > 0);
}
