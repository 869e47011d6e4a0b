// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/collectives_in_flight.hpp"

#include <mutex>
#include <unordered_map>

namespace waybill::transport::mpi {

namespace {

struct Table {
  std::mutex mutex;
  std::unordered_map<Channel, std::size_t> counts;
};

Table& table() {
  static Table all;
  return all;
}

}  // namespace

void CollectivesInFlight::add(Channel channel) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  ++all.counts[channel];
}

void CollectivesInFlight::remove(Channel channel) noexcept {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.counts.find(channel);
  if (found != all.counts.end() && found->second > 0) --found->second;
}

std::size_t CollectivesInFlight::count(Channel channel) noexcept {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.counts.find(channel);
  return found == all.counts.end() ? 0 : found->second;
}

}  // namespace waybill::transport::mpi
