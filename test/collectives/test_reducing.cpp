// SPDX-License-Identifier: BSD-3-Clause
// The collectives that combine elements: every operator with every type that has it,
// against a serial oracle, and operators of the program's own.
#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "collectives/oracle.hpp"
#include "support/catch.hpp"

using test_support::contribution;
using test_support::element;
using test_support::Memory;
using test_support::reduced;
using test_support::same;
using waybill::Communicator;
using waybill::Errc;
using waybill::in_place;
using waybill::Operands;
using waybill::Reduce;
using waybill::Runtime;
using waybill::Work;

namespace {

/// Elements of @p memory, the first of which is element @p first of the contributions.
template <class T>
bool holds(const Memory<T>& memory, Reduce reduce, int ranks, std::size_t count,
           std::size_t first = 0) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!same(memory[i], reduced<T>(reduce, ranks, first + i))) return false;
  }
  return true;
}

template <class T>
void to_root(const Communicator& comm, Reduce reduce, std::size_t n, bool stays) {
  for (int root = 0; root < comm.size(); ++root) {
    Memory<T> mine = contribution<T>(comm.rank(), n);
    Memory<T> result(comm.rank() == root ? n : 0);
    if (stays) comm.reduce(in_place, mine.all(), reduce, root);
    else comm.reduce(mine.all(), result.all(), reduce, root);
    if (comm.rank() == root) REQUIRE(holds(stays ? mine : result, reduce, comm.size(), n));
    else REQUIRE(same(n == 0 ? T() : mine[0], n == 0 ? T() : element<T>(comm.rank(), 0)));
  }
}

template <class T>
void to_all(const Communicator& comm, Reduce reduce, std::size_t n, bool stays) {
  Memory<T> mine = contribution<T>(comm.rank(), n);
  Memory<T> result(n);
  if (stays) comm.allreduce(in_place, mine.all(), reduce);
  else comm.allreduce(mine.all(), result.all(), reduce);
  REQUIRE(holds(stays ? mine : result, reduce, comm.size(), n));
}

template <class T>
void scanned(const Communicator& comm, Reduce reduce, std::size_t n, bool stays) {
  Memory<T> mine = contribution<T>(comm.rank(), n);
  Memory<T> result(n);
  if (stays) comm.scan(in_place, mine.all(), reduce);
  else comm.scan(mine.all(), result.all(), reduce);
  REQUIRE(holds(stays ? mine : result, reduce, comm.rank() + 1, n));
  mine = contribution<T>(comm.rank(), n);
  if (stays) comm.exscan(in_place, mine.all(), reduce);
  else comm.exscan(mine.all(), result.all(), reduce);
  if (comm.rank() > 0) REQUIRE(holds(stays ? mine : result, reduce, comm.rank(), n));
}

template <class T>
void scattered(const Communicator& comm, Reduce reduce, std::size_t n, bool stays) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto me = static_cast<std::size_t>(comm.rank());
  Memory<T> mine = contribution<T>(comm.rank(), n * ranks);
  Memory<T> result(n);
  if (stays) comm.reduce_scatter_block(in_place, mine.all(), reduce);
  else comm.reduce_scatter_block(mine.all(), result.all(), reduce);
  REQUIRE(holds(stays ? mine : result, reduce, comm.size(), n, me * n));
  std::vector<std::size_t> counts;
  for (std::size_t rank = 0; rank < ranks; ++rank) counts.push_back((rank + 1) % 3 * n);
  const std::size_t first =
      std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::size_t{0});
  mine =
      contribution<T>(comm.rank(), std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  result = Memory<T>(counts[me]);
  if (stays) comm.reduce_scatter(in_place, mine.all(), counts, reduce);
  else comm.reduce_scatter(mine.all(), result.all(), counts, reduce);
  REQUIRE(holds(stays ? mine : result, reduce, comm.size(), counts[me], first));
}

template <class T>
void all_of_type(const Communicator& comm) {
  for (const Reduce reduce : test_support::all_operators) {
    if (!test_support::defined<T>(reduce)) {
      Memory<T> mine(1);
      Memory<T> result(1);
      try {
        static_cast<void>(comm.allreduce_async(mine.all(), result.all(), reduce));
        FAIL("an operator that is not defined was taken");
      } catch (const waybill::Error& error) {
        REQUIRE(error.code() == Errc::invalid_reduction);
      }
      continue;
    }
    for (const std::size_t n : {0, 1, 5, 700}) {
      for (const bool stays : {false, true}) {
        to_root<T>(comm, reduce, n, stays);
        to_all<T>(comm, reduce, n, stays);
        scanned<T>(comm, reduce, n, stays);
        scattered<T>(comm, reduce, n, stays);
      }
    }
  }
}

template <class... Types>
void all_of_types(const Communicator& comm) {
  (all_of_type<Types>(comm), ...);
}

/// x -> slope * x + offset, whose composition does not commute.
struct Line {
  std::uint64_t slope = 1;
  std::uint64_t offset = 0;
};

Line line_of(int rank) {
  return {static_cast<std::uint64_t>(rank) + 2, static_cast<std::uint64_t>(rank) * 3 + 1};
}

Line after(const Line& first, const Line& second) {
  return {second.slope * first.slope, second.slope * first.offset + second.offset};
}

}  // namespace

TEST_CASE("every operator with every type of integers") {
  Runtime runtime;
  all_of_types<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
               unsigned long, long long, unsigned long long>(runtime.world());
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("every operator with every other type that has it") {
  Runtime runtime;
  all_of_types<bool, std::byte, float, double, long double, std::complex<float>,
               std::complex<double>, waybill::float16, waybill::bfloat16>(runtime.world());
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("an operator of the program's own keeps the order of ranks, and its state") {
  Runtime runtime;
  const auto world = runtime.world();
  const auto calls = std::make_shared<std::atomic<int>>(0);
  const waybill::Reduction compose = waybill::reduction<Line>(
      [calls](const Line& first, const Line& second) {
        ++*calls;
        return after(first, second);
      },
      Operands::in_rank_order);
  for (const std::size_t n : {1, 3, 2000}) {
    std::vector<Line> mine(n, line_of(world.rank()));
    std::vector<Line> result(n);
    world.allreduce(mine, result, compose);
    Line expected = line_of(0);
    for (int rank = 1; rank < world.size(); ++rank) expected = after(expected, line_of(rank));
    REQUIRE(result.front().slope == expected.slope);
    REQUIRE(result.back().offset == expected.offset);
    world.scan(in_place, mine, compose);
    expected = line_of(0);
    for (int rank = 1; rank <= world.rank(); ++rank) expected = after(expected, line_of(rank));
    REQUIRE(mine.back().slope == expected.slope);
    REQUIRE(mine.front().offset == expected.offset);
  }
  const waybill::Reduction longest = waybill::reduction<Line>(
      [](const Line& a, const Line& b) { return a.slope < b.slope ? b : a; });
  std::vector<Line> one{line_of(world.rank())};
  world.reduce(in_place, one, longest, world.size() - 1);
  if (world.rank() == world.size() - 1) REQUIRE(one[0].slope == line_of(world.rank()).slope);
  int called = *calls;
  world.allreduce(in_place, waybill::value(called), Reduce::sum);
  REQUIRE((called > 0 || world.size() == 1));
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("what an operator throws fails the Work with its words") {
  Runtime runtime;
  const auto world = runtime.world();
  if (world.size() == 1) return;  // nothing is combined
  const waybill::Reduction thrower = waybill::reduction<int>(
      [](const int&, const int&) -> int { throw std::runtime_error("no such sum"); });
  int mine = 1;
  int result = 0;
  Work work = world.allreduce_async(waybill::value(mine), waybill::value(result), thrower);
  std::error_code failure;
  work.wait(failure);
  int failed = failure ? 1 : 0;
  if (failure) REQUIRE(failure == Errc::reduction_failed);
  if (failure) {
    try {
      work.wait();
      FAIL("wait() did not throw");
    } catch (const waybill::Error& error) {
      REQUIRE(error.mpi_text() == "no such sum");
      REQUIRE(std::string(error.what()).find("test_reducing.cpp") != std::string::npos);
    }
  }
  world.allreduce(in_place, waybill::value(failed), Reduce::sum);
  REQUIRE(failed > 0);  // whoever combined
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("16-bit numbers are as exact as documented") {
  Runtime runtime;
  const auto world = runtime.world();
  const std::size_t n = 500;
  std::vector<waybill::float16> halves;
  std::vector<waybill::bfloat16> brains;
  std::vector<double> exact;
  for (std::size_t i = 0; i < n; ++i) {
    const float number = 0.1F + static_cast<float>(i) * 0.37F + static_cast<float>(world.rank());
    halves.emplace_back(number);
    brains.emplace_back(number);
  }
  std::vector<double> half_sums;
  std::vector<double> brain_sums;
  for (std::size_t i = 0; i < n; ++i) {
    half_sums.push_back(static_cast<double>(static_cast<float>(halves[i])));
    brain_sums.push_back(static_cast<double>(static_cast<float>(brains[i])));
  }
  world.allreduce(in_place, half_sums, Reduce::sum);
  world.allreduce(in_place, brain_sums, Reduce::sum);
  world.allreduce(in_place, halves, Reduce::sum);
  world.allreduce(in_place, brains, Reduce::sum);
  const double steps = world.size() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double half = static_cast<double>(static_cast<float>(halves[i]));
    const double brain = static_cast<double>(static_cast<float>(brains[i]));
    REQUIRE(std::abs(half - half_sums[i]) <= steps / 2048 * half_sums[i]);
    REQUIRE(std::abs(brain - brain_sums[i]) <= steps / 256 * brain_sums[i]);
  }
}
