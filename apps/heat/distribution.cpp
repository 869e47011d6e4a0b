// SPDX-License-Identifier: BSD-3-Clause
#include "distribution.hpp"

#include <algorithm>

#include "waybill/buffer.hpp"
#include "waybill/wait.hpp"

namespace heat {

namespace {

constexpr int root = 0;
constexpr int share_tag = 10;
constexpr int agree_tag = 11;
constexpr int scatter_tag = 12;
constexpr int gather_tag = 13;
constexpr int measurement_tag = 14;

template <class T>
T share_value(const waybill::Communicator& world, T shared) {
  if (world.rank() != root) {
    static_cast<void>(world.recv(waybill::value(shared), root, share_tag));
    return shared;
  }
  std::vector<waybill::Work> sends;
  for (int rank = 1; rank < world.size(); ++rank) {
    sends.push_back(world.isend(waybill::value(shared), rank, share_tag));
  }
  waybill::wait_all(sends);
  return shared;
}

/// Everybody's value on rank 0, by rank; empty elsewhere.
template <class T>
std::vector<T> gather_values(const waybill::Communicator& world, const T& mine, int tag) {
  if (world.rank() != root) {
    world.send(waybill::value(mine), root, tag);
    return {};
  }
  std::vector<T> all(static_cast<std::size_t>(world.size()));
  all[root] = mine;
  std::vector<waybill::Work> receives;
  for (int rank = 1; rank < world.size(); ++rank) {
    receives.push_back(world.irecv(waybill::value(all[static_cast<std::size_t>(rank)]), rank, tag));
  }
  waybill::wait_all(receives);
  return all;
}

/// The cells of one process in a whole picture.
template <class Cell>
waybill::StridedView<Cell> part(Cell* cells, const Plan& plan, int rank) {
  const Block block = block_of(rank, plan.grid, plan.width, plan.height);
  return waybill::block(cells, plan.width, block.row, block.column, block.rows, block.columns);
}

/// Views of one size.
template <class From>
void copy(const waybill::StridedView<From>& from, const waybill::StridedView<double>& to) {
  for (std::size_t row = 0; row < from.rows; ++row) {
    std::copy_n(from.first + row * from.row_stride, from.columns, to.first + row * to.row_stride);
  }
}

}  // namespace

Plan share(const waybill::Communicator& world, Plan plan) { return share_value(world, plan); }

Outcome share(const waybill::Communicator& world, Outcome outcome) {
  return share_value(world, outcome);
}

Outcome agree(const waybill::Communicator& world, Outcome mine) {
  const std::vector<Outcome> all = gather_values(world, mine, agree_tag);
  return share(world, all.empty() ? mine : *std::max_element(all.begin(), all.end()));
}

void scatter(const waybill::Communicator& world, const Plan& plan, const Picture& picture,
             Field& field) {
  if (world.rank() != root) {
    static_cast<void>(world.recv(field.own(), root, scatter_tag));
    return;
  }
  std::vector<waybill::Work> sends;
  for (int rank = 1; rank < world.size(); ++rank) {
    sends.push_back(world.isend(part(picture.cells.data(), plan, rank), rank, scatter_tag));
  }
  copy(part(picture.cells.data(), plan, root), field.own());
  waybill::wait_all(sends);
}

void gather(const waybill::Communicator& world, const Plan& plan, Field& field, Picture& picture) {
  if (world.rank() != root) {
    world.send(field.own(), root, gather_tag);
    return;
  }
  std::vector<waybill::Work> receives;
  for (int rank = 1; rank < world.size(); ++rank) {
    receives.push_back(world.irecv(part(picture.cells.data(), plan, rank), rank, gather_tag));
  }
  copy(field.own(), part(picture.cells.data(), plan, root));
  waybill::wait_all(receives);
}

std::vector<Measurement> gather(const waybill::Communicator& world, const Measurement& mine) {
  return gather_values(world, mine, measurement_tag);
}

}  // namespace heat
