// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move elements, of every type, against a serial oracle.
#include <algorithm>
#include <vector>

#include "collectives/oracle.hpp"
#include "support/catch.hpp"

using test_support::contribution;
using test_support::element;
using test_support::Memory;
using test_support::Particle;
using test_support::same;
using waybill::Communicator;
using waybill::in_place;
using waybill::Runtime;
using waybill::Work;

namespace {

constexpr std::size_t counts[] = {0, 1, 3, 1000};

std::size_t ranks_of(const Communicator& comm) { return static_cast<std::size_t>(comm.size()); }

/// Blocks of different sizes, one of which is empty where there are enough ranks.
std::vector<std::size_t> uneven(std::size_t ranks, std::size_t n) {
  std::vector<std::size_t> sizes;
  for (std::size_t rank = 0; rank < ranks; ++rank) sizes.push_back((rank + 1) % 3 * n);
  return sizes;
}

/// In reverse order, one element apart.
std::vector<std::size_t> with_gaps(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> begins(sizes.size());
  std::size_t next = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    begins[i] = next;
    next += sizes[i] + 1;
  }
  return begins;
}

std::vector<std::size_t> packed(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> begins(sizes.size());
  for (std::size_t i = 1; i < sizes.size(); ++i) begins[i] = begins[i - 1] + sizes[i - 1];
  return begins;
}

std::size_t room_for(const std::vector<std::size_t>& sizes,
                     const std::vector<std::size_t>& begins) {
  std::size_t room = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) room = std::max(room, begins[i] + sizes[i] + 1);
  return room;
}

/// Elements [begin, begin + count) are those of @p rank, from @p first on.
template <class T>
bool holds(const Memory<T>& memory, std::size_t begin, std::size_t count, int rank,
           std::size_t first = 0) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!same(memory[begin + i], element<T>(rank, first + i))) return false;
  }
  return true;
}

template <class T>
void broadcast(const Communicator& comm, std::size_t n) {
  for (int root = 0; root < comm.size(); ++root) {
    Memory<T> data = comm.rank() == root ? contribution<T>(root, n) : Memory<T>(n);
    Work work = comm.broadcast_async(data.all(), root);
    work.wait();
    REQUIRE(holds(data, 0, n, root));
    REQUIRE(work.status().source() == root);
    REQUIRE(work.status().bytes() == n * sizeof(T));
  }
}

template <class T>
void gather(const Communicator& comm, std::size_t n, bool stays) {
  const std::size_t ranks = ranks_of(comm);
  const auto me = static_cast<std::size_t>(comm.rank());
  for (int root = 0; root < comm.size(); ++root) {
    const bool is_root = comm.rank() == root;
    Memory<T> mine = contribution<T>(comm.rank(), n);
    Memory<T> all(is_root ? n * ranks : 0);
    if (is_root && stays) {
      for (std::size_t i = 0; i < n; ++i) all[me * n + i] = mine[i];
      comm.gather(in_place, all.all(), root);
    } else {
      comm.gather(mine.all(), all.all(), root);
    }
    for (std::size_t rank = 0; is_root && rank < ranks; ++rank) {
      REQUIRE(holds(all, rank * n, n, static_cast<int>(rank)));
    }
  }
}

template <class T>
void scatter(const Communicator& comm, std::size_t n, bool stays) {
  const std::size_t ranks = ranks_of(comm);
  const auto me = static_cast<std::size_t>(comm.rank());
  for (int root = 0; root < comm.size(); ++root) {
    const bool is_root = comm.rank() == root;
    Memory<T> all = is_root ? contribution<T>(root, n * ranks) : Memory<T>(0);
    Memory<T> mine(n);
    if (is_root && stays) {
      comm.scatter(all.all(), in_place, root);
      REQUIRE(holds(all, 0, n * ranks, root));
    } else {
      comm.scatter(all.all(), mine.all(), root);
      REQUIRE(holds(mine, 0, n, root, me * n));
    }
  }
}

template <class T>
void allgather(const Communicator& comm, std::size_t n, bool stays) {
  const std::size_t ranks = ranks_of(comm);
  const auto me = static_cast<std::size_t>(comm.rank());
  Memory<T> mine = contribution<T>(comm.rank(), n);
  Memory<T> all(n * ranks);
  for (std::size_t i = 0; stays && i < n; ++i) all[me * n + i] = mine[i];
  if (stays) comm.allgather(in_place, all.all());
  else comm.allgather(mine.all(), all.all());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    REQUIRE(holds(all, rank * n, n, static_cast<int>(rank)));
  }
}

template <class T>
void alltoall(const Communicator& comm, std::size_t n, bool stays) {
  const std::size_t ranks = ranks_of(comm);
  const auto me = static_cast<std::size_t>(comm.rank());
  Memory<T> from = contribution<T>(comm.rank(), n * ranks);
  Memory<T> into = stays ? from : Memory<T>(n * ranks);
  if (stays) comm.alltoall(in_place, into.all());
  else comm.alltoall(from.all(), into.all());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    REQUIRE(holds(into, rank * n, n, static_cast<int>(rank), me * n));
  }
}

template <class T>
void gatherv(const Communicator& comm, std::size_t n, bool gaps) {
  const std::vector<std::size_t> sizes = uneven(ranks_of(comm), n);
  const std::vector<std::size_t> begins = gaps ? with_gaps(sizes) : packed(sizes);
  const auto me = static_cast<std::size_t>(comm.rank());
  for (int root = 0; root < comm.size(); ++root) {
    const bool is_root = comm.rank() == root;
    Memory<T> mine = contribution<T>(comm.rank(), sizes[me]);
    Memory<T> all(is_root ? room_for(sizes, begins) : 0);
    const Memory<T> before = all;
    if (gaps) comm.gatherv(mine.all(), all.all(), {sizes, begins}, root);
    else comm.gatherv(mine.all(), all.all(), sizes, root);
    for (std::size_t rank = 0; is_root && rank < sizes.size(); ++rank) {
      REQUIRE(holds(all, begins[rank], sizes[rank], static_cast<int>(rank)));
    }
    if (is_root && gaps) REQUIRE(std::memcmp(all.data(), before.data(), sizeof(T)) == 0);
  }
}

template <class T>
void scatterv(const Communicator& comm, std::size_t n, bool gaps) {
  const std::vector<std::size_t> sizes = uneven(ranks_of(comm), n);
  const std::vector<std::size_t> begins = gaps ? with_gaps(sizes) : packed(sizes);
  const auto me = static_cast<std::size_t>(comm.rank());
  for (int root = 0; root < comm.size(); ++root) {
    const bool is_root = comm.rank() == root;
    Memory<T> all = is_root ? contribution<T>(root, room_for(sizes, begins)) : Memory<T>(0);
    Memory<T> mine(sizes[me]);
    if (gaps) comm.scatterv(all.all(), {sizes, begins}, mine.all(), root);
    else comm.scatterv(all.all(), sizes, mine.all(), root);
    REQUIRE(holds(mine, 0, sizes[me], root, begins[me]));
  }
}

template <class T>
void allgatherv(const Communicator& comm, std::size_t n, bool gaps, bool stays) {
  const std::vector<std::size_t> sizes = uneven(ranks_of(comm), n);
  const std::vector<std::size_t> begins = gaps ? with_gaps(sizes) : packed(sizes);
  const auto me = static_cast<std::size_t>(comm.rank());
  Memory<T> mine = contribution<T>(comm.rank(), sizes[me]);
  Memory<T> all(room_for(sizes, begins));
  for (std::size_t i = 0; stays && i < sizes[me]; ++i) all[begins[me] + i] = mine[i];
  if (stays) comm.allgatherv(in_place, all.all(), {sizes, begins});
  else comm.allgatherv(mine.all(), all.all(), {sizes, begins});
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    REQUIRE(holds(all, begins[rank], sizes[rank], static_cast<int>(rank)));
  }
}

/// Rank i sends rank j (i + j) % 3 * n elements.
template <class T>
void alltoallv(const Communicator& comm, std::size_t n, bool gaps) {
  const std::size_t ranks = ranks_of(comm);
  const auto me = static_cast<std::size_t>(comm.rank());
  std::vector<std::size_t> sizes;
  for (std::size_t rank = 0; rank < ranks; ++rank) sizes.push_back((me + rank) % 3 * n);
  const std::vector<std::size_t> sent = packed(sizes);
  const std::vector<std::size_t> got = gaps ? with_gaps(sizes) : sent;
  Memory<T> from(room_for(sizes, sent));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < sizes[rank]; ++i) {
      from[sent[rank] + i] = element<T>(comm.rank(), rank * 100 + i);
    }
  }
  Memory<T> into(room_for(sizes, got));
  comm.alltoallv(from.all(), {sizes, sent}, into.all(), {sizes, got});
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    REQUIRE(holds(into, got[rank], sizes[rank], static_cast<int>(rank), me * 100));
  }
  // In place the two directions between two ranks have one size, as here.
  if (gaps) return;
  comm.alltoallv(in_place, {}, from.all(), {sizes, sent});
  REQUIRE(std::equal(from.data(), from.data() + sent.back() + sizes.back(), into.data(),
                     [](const T& one, const T& other) { return same(one, other); }));
}

template <class T>
void all_of_type(const Communicator& comm) {
  for (const std::size_t n : counts) {
    broadcast<T>(comm, n);
    for (const bool stays : {false, true}) {
      gather<T>(comm, n, stays);
      scatter<T>(comm, n, stays);
      allgather<T>(comm, n, stays);
      alltoall<T>(comm, n, stays);
    }
    for (const bool gaps : {false, true}) {
      gatherv<T>(comm, n, gaps);
      scatterv<T>(comm, n, gaps);
      allgatherv<T>(comm, n, gaps, false);
      allgatherv<T>(comm, n, gaps, true);
      alltoallv<T>(comm, n, gaps);
    }
  }
}

template <class... Types>
void all_of_types(const Communicator& comm) {
  (all_of_type<Types>(comm), ...);
}

}  // namespace

TEST_CASE("elements of every type are moved, in place and not, in equal parts and in blocks") {
  Runtime runtime;
  all_of_types<std::byte, char, signed char, unsigned char, bool, short, unsigned short, int,
               unsigned, long, unsigned long, long long, unsigned long long, float, double,
               long double, std::complex<float>, std::complex<double>, waybill::float16,
               waybill::bfloat16, Particle>(runtime.world());
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("a barrier ends when all ranks have come") {
  Runtime runtime;
  const auto world = runtime.world();
  for (int i = 0; i < 20; ++i) world.barrier();
  Work barrier = world.barrier_async();
  barrier.wait();
  REQUIRE(barrier.status().bytes() == 0);
  REQUIRE(runtime.findings() == 0);
}
