// SPDX-License-Identifier: BSD-3-Clause
// Collectives on strided views and on MPI's derived types.
#include <mpi.h>

#include <vector>

#include "support/catch.hpp"
#include "waybill/mpi.hpp"
#include "waybill/waybill.hpp"

using waybill::Communicator;
using waybill::in_place;
using waybill::Reduce;
using waybill::Runtime;

namespace {

/// Two doubles of every three.
class TwoOfThree {
 public:
  TwoOfThree() {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_create_resized(pair, 0, 3 * sizeof(double), &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&pair);
  }
  TwoOfThree(const TwoOfThree&) = delete;
  TwoOfThree& operator=(const TwoOfThree&) = delete;
  ~TwoOfThree() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Elements of that: pair i of rank r is (100 r + i, -i), and the gap is -7.
std::vector<double> pairs(int rank, std::size_t count) {
  std::vector<double> made;
  for (std::size_t i = 0; i < count; ++i) {
    made.insert(made.end(), {100.0 * rank + static_cast<double>(i), -static_cast<double>(i), -7});
  }
  return made;
}

}  // namespace

TEST_CASE("a column is broadcast into a column") {
  Runtime runtime;
  const auto world = runtime.world();
  std::vector<int> matrix(5 * 4, -1);
  if (world.rank() == 0) {
    for (std::size_t row = 0; row < 5; ++row) matrix[row * 4 + 2] = static_cast<int>(row);
  }
  world.broadcast(waybill::RecvBuffer(waybill::column(matrix.data(), 5, 4, 2)));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    REQUIRE(matrix[i] == (i % 4 == 2 ? static_cast<int>(i / 4) : -1));
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("a strided view is divided by its rows") {
  Runtime runtime;
  const auto world = runtime.world();
  const auto ranks = static_cast<std::size_t>(world.size());
  // Two rows of three elements for each rank, in a matrix of width five.
  std::vector<int> matrix(2 * ranks * 5, -1);
  std::vector<int> mine(6);
  for (std::size_t i = 0; i < 6; ++i) mine[i] = world.rank() * 10 + static_cast<int>(i);
  const auto view = waybill::block(matrix.data(), 5, 0, 1, 2 * ranks, 3);
  world.allgather(mine, view);
  for (std::size_t row = 0; row < 2 * ranks; ++row) {
    for (std::size_t column = 0; column < 5; ++column) {
      const int value = static_cast<int>(row / 2 * 10 + row % 2 * 3 + column) - 1;
      REQUIRE(matrix[row * 5 + column] == (column >= 1 && column < 4 ? value : -1));
    }
  }
  std::vector<int> back(6, -1);
  world.scatter(view, back, 0);
  REQUIRE(back == mine);
  std::vector<int> turned(6 * ranks);
  world.alltoall(view, turned);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    REQUIRE(turned[rank * 6] == world.rank() * 10);  // every rank holds the same matrix
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("elements of a derived type are moved, and their gaps left alone") {
  Runtime runtime;
  const auto world = runtime.world();
  const auto ranks = static_cast<std::size_t>(world.size());
  const auto me = static_cast<std::size_t>(world.rank());
  const TwoOfThree type;
  for (const std::size_t n : {1, 700}) {
    const std::vector<double> mine = pairs(world.rank(), n);
    std::vector<double> all(3 * n * ranks, -7);
    world.allgather(waybill::send_buffer(mine.data(), n, type.get()),
                    waybill::recv_buffer(all.data(), n * ranks, type.get()));
    std::vector<double> expected;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::vector<double> part = pairs(static_cast<int>(rank), n);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    REQUIRE(all == expected);

    const std::vector<std::size_t> counts(ranks, n);
    std::vector<double> sent = pairs(world.rank(), n * ranks);
    world.alltoallv(in_place, {}, waybill::recv_buffer(sent.data(), n * ranks, type.get()), counts);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(sent[(rank * n + i) * 3] ==
                100.0 * static_cast<double>(rank) + static_cast<double>(me * n + i));
        REQUIRE(sent[(rank * n + i) * 3 + 2] == -7);
      }
    }
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("MPI's own types are reduced with MPI's operators") {
  Runtime runtime;
  const auto world = runtime.world();
  std::vector<int> mine(10, world.rank() + 1);
  std::vector<int> sum(10);
  world.allreduce(waybill::send_buffer(mine.data(), 10, MPI_INT),
                  waybill::recv_buffer(sum.data(), 10, MPI_INT), Reduce::sum);
  REQUIRE(sum == std::vector<int>(10, world.size() * (world.size() + 1) / 2));
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("an alltoall of single elements transposes a matrix") {
  Runtime runtime;
  const auto world = runtime.world();
  const auto ranks = static_cast<std::size_t>(world.size());
  // Columns of a matrix on one side, rows on the other: a transposition.
  const std::size_t n = ranks;
  std::vector<int> matrix(n, 0);  // one row of a square matrix
  for (std::size_t i = 0; i < n; ++i) matrix[i] = world.rank() * 100 + static_cast<int>(i);
  std::vector<int> turned(n);
  world.alltoall(matrix, turned);
  for (std::size_t i = 0; i < n; ++i)
    REQUIRE(turned[i] == static_cast<int>(i) * 100 + world.rank());
}
