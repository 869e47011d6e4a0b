// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/persistent_receives.hpp"

#include "transport/mpi/mpi_channels.hpp"

namespace waybill::transport::mpi {

namespace {

constexpr std::uint8_t patience = 8;
constexpr Channel no_channel = ~Channel{0};

}  // namespace

void PersistentReceives::Entry::learn(const ReceiveKey& key) noexcept {
  channel_.store(key.channel, std::memory_order_relaxed);
  address_ = key.address;
  count_ = key.count;
  envelope_ = key.envelope;
}

PersistentReceives::~PersistentReceives() {
  for (Entry& entry : entries_) {
    if (entry.request != MPI_REQUEST_NULL) MPI_Request_free(&entry.request);
  }
}

bool PersistentReceives::get_ready(Entry& entry, const ReceiveKey& key,
                                   MPI_Datatype type) noexcept {
  if (entry.request == MPI_REQUEST_NULL && entry.is_for(key)) {  // the second time
    const int elements = std::bit_cast<PlainCount>(key.count).columns();
    const int peer = static_cast<int>(key.envelope);
    const int tag = static_cast<int>(key.envelope >> 32U);
    const int code = MPI_Recv_init(const_cast<void*>(key.address), elements, type, peer, tag,
                                   unpack_channel(key.channel), &entry.request);
    if (code == MPI_SUCCESS) {
      entry.patience_ = patience;
      return true;
    }
    entry.request = MPI_REQUEST_NULL;  // an MPI_Irecv will say what is wrong
    entry.learn({});
  } else if (entry.request == MPI_REQUEST_NULL) {
    entry.learn(key);
  } else if (entry.patience_-- == 0) {
    MPI_Request_free(&entry.request);
    entry.learn(key);
  }
  give_back(entry);
  return false;
}

void PersistentReceives::end(Entry& entry) noexcept {
  if (entry.request != MPI_REQUEST_NULL) MPI_Request_free(&entry.request);
  entry.learn({});
  give_back(entry);
}

void PersistentReceives::forget(Channel channel) noexcept {
  for (Entry& entry : entries_) {
    if (!entry.taken_.exchange(true, std::memory_order_acquire)) {
      if (entry.channel_.load(std::memory_order_relaxed) == channel) {
        end(entry);
      } else {
        give_back(entry);
      }
      continue;
    }
    // In flight, or another thread looks at it for a channel of its own. A communicator
    // of the same name can come only after this, and then finds no match.
    Channel expected = channel;
    entry.channel_.compare_exchange_strong(expected, no_channel, std::memory_order_relaxed);
  }
}

}  // namespace waybill::transport::mpi
