// SPDX-License-Identifier: BSD-3-Clause
#include "placement.hpp"

#include <algorithm>

namespace bench {

namespace {

/// What the launcher gave to the ranks of this node together, and this rank's place among them.
struct Node {
  CoreList cores;
  int place = 0;
  int ranks = 1;
  bool has_computing = false;
};

Node this_node(const Bench& bench, int computing) {
  Node node;
  MPI_Comm on_node = MPI_COMM_NULL;
  MPI_Comm_split_type(bench.world(), MPI_COMM_TYPE_SHARED, bench.rank(), MPI_INFO_NULL, &on_node);
  MPI_Comm_rank(on_node, &node.place);
  MPI_Comm_size(on_node, &node.ranks);
  const CoreMask mine = mask_of(allowed_cores());
  CoreMask together{};
  MPI_Allreduce(mine.data(), together.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_BOR,
                on_node);
  node.cores = list_of(together);
  int is_here = bench.rank() == computing ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &is_here, 1, MPI_INT, MPI_MAX, on_node);
  node.has_computing = is_here == 1;
  MPI_Comm_free(&on_node);
  return node;
}

Placement own(const Node& node, bool computes) {
  Placement placement;
  placement.cores = Cores::own;
  placement.at_start = node.cores;
  if (!node.has_computing) return placement;
  const CoreList rest(node.cores.begin() + 1, node.cores.end());
  placement.main = computes ? CoreList{node.cores.front()} : rest;
  placement.background = rest;
  placement.away = !computes;
  return placement;
}

Placement shared(const Node& node) {
  Placement placement;
  placement.cores = Cores::shared;
  const auto place = static_cast<std::size_t>(node.place);
  placement.at_start = {node.cores[place % node.cores.size()]};
  return placement;
}

}  // namespace

std::string Placement::name() const {
  if (cores == Cores::own) return "own cores";
  if (cores == Cores::shared) return "shared cores";
  return "as launched";
}

Placement place(Bench& bench, Cores wanted, int computing) {
  const Node node = this_node(bench, computing);
  const auto cores = node.cores.size();
  const bool suffices =
      wanted == Cores::own ? cores >= 2 : cores >= static_cast<std::size_t>(node.ranks);
  const bool everywhere = bench.largest(suffices ? 0 : 1) == 0;
  if (wanted == Cores::launched) return {};
  if (!everywhere) {
    bench.note("there are not enough cores to place threads: they run as launched.");
    return {};
  }
  return wanted == Cores::own ? own(node, bench.rank() == computing) : shared(node);
}

PlacedThread::PlacedThread(const Placement* placement) : placement_(placement) {
  if (placement_ == nullptr || placement_->at_start.empty()) return;
  before_ = allowed_cores();
  allow_cores(placement_->at_start);
}

PlacedThread::~PlacedThread() {
  if (!before_.empty()) allow_cores(before_);
}

void PlacedThread::settle() const {
  if (placement_ == nullptr) return;
  if (!placement_->main.empty()) allow_cores(placement_->main);
  if (placement_->background.empty()) return;
  if (const auto thread = background_thread()) allow_cores(placement_->background, *thread);
}

}  // namespace bench
