// SPDX-License-Identifier: BSD-3-Clause
// Every kind of buffer, checked element by element; the rest must stay untouched.
#include <array>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/mpi.hpp"
#include "waybill/waybill.hpp"

using test_support::Ring;
using waybill::Runtime;
using waybill::Work;

namespace {

template <class T>
void exchange(const waybill::Communicator& comm, const std::vector<T>& out) {
  const Ring ring(comm);
  std::vector<T> in(out.size());
  Work receive = comm.irecv(in, ring.previous, 1);
  Work send = comm.isend(out, ring.next, 1);
  receive.wait();
  send.wait();
  REQUIRE(in == out);
  REQUIRE(receive.status().elements() == out.size());
}

struct Particle {
  double position[3];
  std::int32_t id;
  char kind;
  bool operator==(const Particle&) const = default;
};

}  // namespace

TEST_CASE("spans of every arithmetic type, of complex numbers and of structs") {
  Runtime runtime;
  const auto world = runtime.world();
  exchange<char>(world, {'a', 'b'});
  exchange<signed char>(world, {-1, 1});
  exchange<unsigned char>(world, {0, 255});
  exchange<std::byte>(world, {std::byte{1}, std::byte{254}});
  exchange<short>(world, {-3, 3});
  exchange<unsigned short>(world, {0, 65535});
  exchange<int>(world, {-1, std::numeric_limits<int>::max()});
  exchange<unsigned>(world, {0, std::numeric_limits<unsigned>::max()});
  exchange<long>(world, {-1, std::numeric_limits<long>::min()});
  exchange<unsigned long>(world, {1, std::numeric_limits<unsigned long>::max()});
  exchange<long long>(world, {-1, std::numeric_limits<long long>::min()});
  exchange<unsigned long long>(world, {1, std::numeric_limits<unsigned long long>::max()});
  exchange<float>(world, {1.5F, -0.0F});
  exchange<double>(world, {1e300, -1e-300});
  exchange<long double>(world, {1.25L, -2.5L});
  exchange<std::complex<float>>(world, {{1, 2}, {3, 4}});
  exchange<std::complex<double>>(world, {{1, 2}, {3, 4}});
  exchange<wchar_t>(world, {L'x', L'y'});
  exchange<Particle>(world, {{{1, 2, 3}, 4, 'p'}, {{5, 6, 7}, 8, 'q'}});
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("arrays, C arrays, strings, bool, single values and raw bytes") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  const std::array<int, 3> array{1, 2, 3};
  int c_array[3] = {};
  world.sendrecv(array, ring.next, c_array, ring.previous);
  REQUIRE(c_array[2] == 3);
  const std::string text = "a string";
  std::string in_text(text.size(), '?');
  world.sendrecv(text, ring.next, in_text, ring.previous);
  REQUIRE(in_text == text);
  const bool flags[2] = {true, false};
  bool in_flags[2] = {false, true};
  world.sendrecv(flags, ring.next, in_flags, ring.previous);
  REQUIRE(in_flags[0]);
  REQUIRE_FALSE(in_flags[1]);
  const double one = 2.5;
  double in_one = 0;
  world.sendrecv(waybill::value(one), ring.next, waybill::value(in_one), ring.previous);
  REQUIRE(in_one == 2.5);
  const Particle particle{{1, 2, 3}, 4, 'p'};
  Particle in_particle{};
  world.sendrecv(waybill::bytes(&particle, sizeof particle), ring.next,
                 waybill::bytes(&in_particle, sizeof in_particle), ring.previous);
  REQUIRE(in_particle == particle);
}

TEST_CASE("columns and blocks of a matrix, many shapes") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  for (const std::size_t height : {1UL, 2UL, 17UL, 700UL}) {
    for (const std::size_t width : {1UL, 3UL, 129UL}) {
      std::vector<double> out(height * width);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(i);
      for (std::size_t column = 0; column < width; column += 64) {
        const std::size_t columns = std::min<std::size_t>(width - column, 2);
        std::vector<double> in(out.size(), -1);
        world.sendrecv(waybill::block(std::as_const(out).data(), width, 0, column, height, columns),
                       ring.next, waybill::block(in.data(), width, 0, column, height, columns),
                       ring.previous);
        for (std::size_t row = 0; row < height; ++row) {
          for (std::size_t c = 0; c < width; ++c) {
            const bool inside = c >= column && c < column + columns;
            REQUIRE(in[row * width + c] == (inside ? out[row * width + c] : -1));
          }
        }
      }
    }
  }
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("a column arrives in a row, and structs in strides") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  std::vector<int> matrix(12);
  for (int i = 0; i < 12; ++i) matrix[static_cast<std::size_t>(i)] = i;
  std::vector<int> row(4);
  world.sendrecv(waybill::column(matrix.data(), 4, 3, 1), ring.next, row, ring.previous);
  REQUIRE(row == std::vector<int>{1, 4, 7, 10});
  std::vector<Particle> particles(6, Particle{{1, 1, 1}, 7, 'x'});
  std::vector<Particle> in(6);
  world.sendrecv(waybill::column(particles.data(), 3, 2, 0), ring.next,
                 waybill::column(in.data(), 3, 2, 1), ring.previous);
  REQUIRE(in[1] == particles[0]);
  REQUIRE(in[0] == Particle{});
}

TEST_CASE("nothing at all, in every shape") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  std::vector<double> empty;
  double* const nowhere = nullptr;
  world.sendrecv(empty, ring.next, empty, ring.previous);
  world.sendrecv(std::span<double>(), ring.next, std::span<double>(), ring.previous);
  world.sendrecv(waybill::column(nowhere, 0, 5, 0), ring.next, waybill::column(nowhere, 0, 5, 0),
                 ring.previous);
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("MPI datatypes, freed while the operation is in flight") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  std::vector<int> out(40);
  for (int i = 0; i < 40; ++i) out[static_cast<std::size_t>(i)] = i;
  std::vector<int> in(40, -1);
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(10, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  Work receive = world.irecv(waybill::recv_buffer(in.data(), 2, every_other), ring.previous);
  Work send = world.isend(waybill::send_buffer(out.data(), 2, every_other), ring.next);
  MPI_Type_free(&every_other);
  receive.wait();
  send.wait();
  REQUIRE(receive.status().bytes() == 80);
  for (int i = 0; i < 40; ++i) {
    // the second element begins where the first ends: 19 ints on
    const bool touched = i < 19 ? i % 2 == 0 : i % 2 == 1 && i < 38;
    REQUIRE(in[static_cast<std::size_t>(i)] == (touched ? i : -1));
  }
  double value = 1.5;
  double got = 0;
  Work plain = world.irecv(waybill::recv_buffer(&got, 1, MPI_DOUBLE), ring.previous);
  world.send(waybill::send_buffer(&value, 1, MPI_DOUBLE), ring.next);
  plain.wait();
  REQUIRE(got == 1.5);
  REQUIRE(runtime.findings() == 0);
}

TEST_CASE("raw MPI may be at the other end") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  const MPI_Comm comm = waybill::native(world);
  std::vector<double> in(5);
  const std::vector<double> out{1, 2, 3, 4, 5};
  Work receive = world.irecv(in, ring.previous, 6);
  MPI_Send(out.data(), 5, MPI_DOUBLE, ring.next, 6, comm);
  receive.wait();
  REQUIRE(in == out);
  std::vector<double> again(5);
  Work send = world.isend(out, ring.next, 6);
  MPI_Recv(again.data(), 5, MPI_DOUBLE, ring.previous, 6, comm, MPI_STATUS_IGNORE);
  send.wait();
  REQUIRE(again == out);
}

TEST_CASE("owned buffers of every kind come back") {
  Runtime runtime;
  const auto world = runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    auto receive = world.irecv(std::vector<std::uint8_t>(bytes), ring.previous, 1);
    auto send = world.isend(test_support::message(ring.rank, 3, bytes), ring.next, 1);
    REQUIRE(receive.take() == test_support::message(ring.previous, 3, bytes));
    REQUIRE(send.take() == test_support::message(ring.rank, 3, bytes));
  }
  auto array = world.irecv(std::array<int, 2>{}, ring.previous, 2);
  world.isend(std::array<int, 2>{8, 9}, ring.next, 2).detach();
  REQUIRE(array.take() == std::array<int, 2>{8, 9});
  REQUIRE(runtime.findings() == 0);
}
