// SPDX-License-Identifier: BSD-3-Clause
// Ranks that make different collective calls; with peer checks each is named, and the next
// calls, which are right again, work. The argument says what differs.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <waybill/waybill.hpp>

namespace {

using waybill::Communicator;
using waybill::in_place;
using waybill::Reduce;
using waybill::Work;

Work wrong_call(const Communicator& world, const std::string& what, std::vector<int>& data,
                std::vector<int>& all) {
  const bool odd = world.rank() == 0;
  const auto ranks = static_cast<std::size_t>(world.size());
  if (what == "call" && odd) return world.broadcast_async(data, 0);
  if (what == "root") return world.broadcast_async(data, odd ? 0 : 1);
  if (what == "operator") {
    return world.allreduce_async(in_place, data, odd ? Reduce::min : Reduce::sum);
  }
  if (what == "count") {
    return world.allreduce_async(in_place, std::span(data).first(odd ? 3 : 4), Reduce::sum);
  }
  if (what == "type" && odd) {
    static std::vector<float> numbers(data.size());
    return world.allreduce_async(in_place, numbers, Reduce::sum);
  }
  if (what == "blocks") {
    std::vector<std::size_t> counts(ranks, 2);
    if (odd) counts[1] = 1;  // rank 1 gives 2
    all.resize(ranks * 2);
    return world.gatherv_async(std::span(data).first(2), all, counts, 0);
  }
  if (what == "alltoallv") {
    std::vector<std::size_t> counts(ranks, 1);
    if (odd) counts[1] = 2;
    all.resize(ranks * 2);
    static std::vector<int> from(ranks * 2);
    return world.alltoallv_async(from, counts, all, std::vector<int>(ranks, 1));
  }
  return world.allreduce_async(in_place, data, Reduce::sum);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  waybill::Runtime runtime;
  const Communicator world = runtime.world();
  std::vector<int> data(4, 1);
  std::vector<int> all;
  world.allreduce(in_place, data, Reduce::max);
  Work wrong = wrong_call(world, what, data, all);
  std::vector<int> right(5, world.rank());
  Work next = world.allreduce_async(in_place, right, Reduce::sum);  // before the wrong one is over
  std::error_code failure;
  wrong.wait(failure);
  next.wait();
  world.barrier();
  const bool as_expected = failure == waybill::Errc::collective_mismatch &&
                           right[4] == world.size() * (world.size() - 1) / 2;
  try {
    wrong.wait();
  } catch (const waybill::Error& error) {
    std::fprintf(stderr, "rank %d: %s\n", world.rank(), error.what());
  }
  return as_expected ? 0 : 1;
}
