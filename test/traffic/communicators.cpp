// SPDX-License-Identifier: BSD-3-Clause
#include "communicators.hpp"

namespace traffic {

using waybill::Communicator;

Communicators::Communicators() : control_(Communicator::world().dup()) {}

void Communicators::prepare(const Plan& plan) {
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto lane = static_cast<Lane>(i);
    if (!plan.uses(lane)) continue;
    const bool fresh = plan.fresh && lane != Lane::exact;  // that is many MPI communicators
    if (!fresh && !kept_[i].valid()) kept_[i] = make(lane);
    now_[i] = fresh ? make(lane) : kept_[i];
  }
}

void Communicators::release(const Plan& plan) {
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto lane = static_cast<Lane>(i);
    if (plan.fresh && lane != Lane::exact && now_[i].valid()) now_[i].free();
    now_[i] = Communicator();
  }
}

Communicator Communicators::make(Lane lane) const {
  const Communicator world = Communicator::world();
  if (lane == Lane::exact) return world.dup({.exact_matching = true});
  if (lane == Lane::half) return world.split(world.rank() % 2);
  return world.dup();
}

void meet(const Communicator& comm) {
  for (int peer = 0; peer < comm.size(); ++peer) {
    if (peer == comm.rank()) continue;
    char mine = 0;
    char theirs = 0;
    comm.sendrecv(waybill::value(mine), peer, waybill::value(theirs), peer);
  }
}

}  // namespace traffic
