// SPDX-License-Identifier: BSD-3-Clause
// Arguments of collectives that make no sense, each with one line that says so.
#include <functional>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/waybill.hpp"

using test_support::MockRuntime;
using waybill::Communicator;
using waybill::Errc;
using waybill::in_place;
using waybill::Reduce;

namespace {

void refused(Errc code, const std::string& words, const std::function<void()>& call) {
  try {
    call();
  } catch (const waybill::Error& error) {
    INFO(error.what());
    REQUIRE(error.code() == code);
    const std::string text = error.what();
    REQUIRE(text.find(words) != std::string::npos);
    REQUIRE(text.find("test_refusal.cpp:") != std::string::npos);
    REQUIRE(text.find('\n') == std::string::npos);
    return;
  }
  FAIL("not refused: " + words);
}

}  // namespace

TEST_CASE("collectives with wrong arguments are refused, and nothing is posted") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> one(1);
  std::vector<int> two(2);
  std::vector<float> numbers(2);
  std::vector<double> wide(2);
  const std::vector<int> counts{1};
  const std::vector<int> too_many{1, 1};
  const std::vector<int> negative{-1};
  const std::vector<int> behind{2};

  refused(Errc::invalid_rank, "root 1 is outside communicator 'world'",
          [&] { world.broadcast(one, 1); });
  refused(Errc::invalid_rank, "root -1", [&] { world.gather(one, one, -1); });
  refused(Errc::invalid_buffer, "the contribution has 1 elements, the result 2",
          [&] { world.allreduce(one, two, Reduce::sum); });
  refused(Errc::invalid_buffer, "different elements",
          [&] { world.allreduce(wide, numbers, Reduce::sum); });
  refused(Errc::invalid_reduction, "bit_and is not defined",
          [&] { world.allreduce(numbers, numbers, Reduce::bit_and); });
  refused(Errc::invalid_reduction, "made for other elements", [&] {
    world.allreduce(in_place, numbers,
                    waybill::reduction<int>([](const int& a, const int&) { return a; }));
  });
  refused(Errc::invalid_blocks, "this rank contributes 4 B to itself, but its part of the result",
          [&] { world.allgather(one, two); });
  refused(Errc::invalid_blocks, "there are 2 counts for 1 ranks",
          [&] { world.allgatherv(one, two, too_many); });
  refused(Errc::invalid_blocks, "2 displacements for 1 ranks", [&] {
    world.allgatherv(one, two, {counts, too_many});
  });
  refused(Errc::invalid_blocks, "the block of rank 0 has -1 elements",
          [&] { world.allgatherv(one, two, negative); });
  refused(Errc::invalid_blocks, "has 1 elements from element 2 on, the buffer has 2", [&] {
    world.scatterv(two, {counts, behind}, one);
  });
  refused(Errc::invalid_blocks, "the blocks have 1 elements, the contribution 2",
          [&] { world.reduce_scatter(two, one, counts, Reduce::sum); });
  refused(Errc::invalid_blocks, "lie one behind the other", [&] {
    world.reduce_scatter(one, two, {counts, counts}, Reduce::sum);
  });
  refused(Errc::invalid_blocks, "this rank's block has 2 elements, its result 1",
          [&] { world.reduce_scatter_block(two, one, Reduce::sum); });
  refused(Errc::invalid_buffer, "one buffer, which is always in place",
          [&] { world.broadcast(in_place); });
  refused(Errc::invalid_buffer, "in_place stands for the contribution",
          [&] { world.allgather(one, in_place); });
  refused(Errc::invalid_buffer, "in_place stands for the result",
          [&] { world.scatter(in_place, one); });
  refused(Errc::invalid_buffer, "null pointer, but has 3 elements",
          [&] { world.broadcast(std::span<int>(static_cast<int*>(nullptr), 3)); });
  refused(Errc::invalid_buffer, "in_place is for collectives",
          [&] { static_cast<void>(world.isend(in_place, 0)); });
  refused(Errc::empty_handle, "empty or was freed", [] { Communicator().barrier(); });

  REQUIRE(runtime.transport.in_flight() == 0);
  REQUIRE(runtime.findings.take().empty());
  static_cast<void>(world.barrier_async());
  REQUIRE(runtime.findings.take().at(0).what.find("collective 1 ") != std::string::npos);
}
