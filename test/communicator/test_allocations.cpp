// SPDX-License-Identifier: BSD-3-Clause
// No memory is asked for on the path from a post to the end of its handle.
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/waybill.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<std::size_t> allocations{0};
thread_local bool mine = false;  // MPI's threads may do what they like

}  // namespace

void* operator new(std::size_t size) {
  if (counting && mine) ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// With its own twin, or a sanitizer sees memory that is not given back where it came from.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  if (counting && mine) ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

TEST_CASE("isend to wait, irecv to status: no allocation for spans and columns") {
  waybill::Runtime runtime;
  const auto world = runtime.world();
  const test_support::Ring ring(world);
  mine = true;
  for (const std::size_t bytes : test_support::sizes) {
    const auto out = test_support::message(ring.rank, 1, bytes);
    std::vector<std::uint8_t> in(bytes);
    std::vector<double> matrix(100);
    const auto exchange = [&] {
      waybill::Work receive = world.irecv(in, ring.previous, 1);
      waybill::Work send = world.isend(out, ring.next, 1);
      waybill::Work column =
          world.irecv(waybill::column(matrix.data(), 10, 10, 3), ring.previous, 2);
      waybill::Work other = world.isend(waybill::column(matrix.data(), 10, 10, 4), ring.next, 2);
      receive.wait();
      send.wait();
      column.wait();
      other.wait();
      return receive.status().bytes();
    };
    for (int i = 0; i < 10; ++i) exchange();  // slots and datatypes are made once
    allocations = 0;
    counting = true;
    for (int i = 0; i < 100; ++i) exchange();
    counting = false;
    REQUIRE(allocations == 0);
  }
}

TEST_CASE("a batch that is filled again allocates once, for its handles") {
  waybill::Runtime runtime;
  const auto world = runtime.world();
  const test_support::Ring ring(world);
  mine = true;
  constexpr std::size_t members = 64;
  std::vector<int> out(members);
  std::vector<int> in(members);
  waybill::Batch batch;
  const auto exchange = [&] {
    for (std::size_t i = 0; i < members; ++i) {
      batch.irecv(waybill::value(in[i]), ring.previous, 1);
      batch.isend(waybill::value(out[i]), ring.next, 1);
    }
    world.post(std::move(batch)).wait();
  };
  for (int i = 0; i < 10; ++i) exchange();
  allocations = 0;
  counting = true;
  for (int i = 0; i < 100; ++i) exchange();
  counting = false;
  REQUIRE(allocations == 100);
}
