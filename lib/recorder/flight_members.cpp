// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_members.hpp"

#include <utility>

namespace waybill::recorder {

void FlightMembers::add(FlightCommunicator communicator) {
  const std::size_t place = listed_.load(std::memory_order_relaxed);
  if (place == most_communicators) {
    unlisted_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  communicators_[place] = std::move(communicator);
  // pairs with the acquire in listed()
  listed_.store(place + 1, std::memory_order_release);
}

}  // namespace waybill::recorder
