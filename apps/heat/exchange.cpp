// SPDX-License-Identifier: BSD-3-Clause
#include "exchange.hpp"

#include <utility>

#include "waybill/wait.hpp"

namespace heat {

HaloExchange::HaloExchange(waybill::Communicator world, const Neighbours& neighbours)
    : world_(std::move(world)), neighbours_(neighbours) {}

HaloExchange::~HaloExchange() = default;

void HaloExchange::start(Field& field) {
  for (const Side side : sides) works_[index(side)] = receive(field, side);
  for (const Side side : sides) works_[sides.size() + index(side)] = send(field, side);
}

void HaloExchange::finish() { waybill::wait_all(works_); }

int HaloExchange::peer(Side side) const {
  return neighbours_[index(side)].value_or(waybill::null_rank);
}

waybill::Work HaloExchange::receive(Field& field, Side side) {
  return world_.irecv(field.halo(side), peer(side), tag_of_receive(side));
}

waybill::Work HaloExchange::send(Field& field, Side side) {
  return world_.isend(field.edge(side), peer(side), tag_of_send(side));
}

}  // namespace heat
