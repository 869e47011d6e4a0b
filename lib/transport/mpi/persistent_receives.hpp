// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Receives that are posted again and again: the same buffer, rank, tag and channel, as
/// every iterative program does. The second one makes a persistent request (MPI 3.1
/// section 3.9), and from then on a post is an MPI_Start, which spares the library
/// what it costs to make and end a request. Matching is the same as with MPI_Irecv.
///
/// Protocol. A fixed table; a key has one place in it. Who posts takes the place, and
/// with it all of the entry but `channel`: it starts the entry's request or, if the
/// place is taken or holds another key, posts an ordinary receive. The place comes back
/// from whoever sees the transfer end, on any thread. forget() ends entries that
/// nobody uses, and makes the others match nothing any more.

#include <mpi.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "transport/transport.hpp"

namespace waybill::transport::mpi {

/// What a repeated receive has in common with the one before.
struct ReceiveKey {
  const void* address = nullptr;
  std::uint64_t count = 0;  // a PlainCount
  std::uint64_t envelope = 0;
  Channel channel = 0;

  ReceiveKey() = default;
  ReceiveKey(const void* buffer, PlainCount elements, int peer, int tag, Channel on) noexcept
      : address(buffer),
        count(std::bit_cast<std::uint64_t>(elements)),
        envelope(static_cast<std::uint64_t>(tag) << 32U | static_cast<unsigned>(peer)),
        channel(on) {}
};

class PersistentReceives {
 public:
  class alignas(64) Entry {
   public:
    MPI_Request request = MPI_REQUEST_NULL;  ///< in flight, until give_back() or end()

   private:
    friend class PersistentReceives;
    [[nodiscard]] bool is_for(const ReceiveKey& key) const noexcept {
      const std::uint64_t difference = (count_ ^ key.count) | (envelope_ ^ key.envelope) |
                                       (channel_.load(std::memory_order_relaxed) ^ key.channel);
      return address_ == key.address && difference == 0;
    }
    void learn(const ReceiveKey& key) noexcept;

    std::atomic<bool> taken_{false};
    std::uint8_t patience_ = 0;  // so many others are refused before they take the place
    std::atomic<Channel> channel_{0};
    const void* address_ = nullptr;
    std::uint64_t count_ = 0;
    std::uint64_t envelope_ = 0;
  };

  PersistentReceives() = default;
  PersistentReceives(const PersistentReceives&) = delete;
  PersistentReceives& operator=(const PersistentReceives&) = delete;
  /// None may be in flight.
  ~PersistentReceives();

  /// The entry with room for this receive, now the caller's; or null.
  [[nodiscard]] Entry* take(const ReceiveKey& key) noexcept {
    Entry& entry = entries_[place_of(key)];
    // acquire pairs with the release of whoever gave it back
    if (entry.taken_.load(std::memory_order_relaxed) ||
        entry.taken_.exchange(true, std::memory_order_acquire)) {
      return nullptr;
    }
    return &entry;
  }
  /// Whether its request can be started for this receive.
  [[nodiscard]] static bool is_ready(const Entry& entry, const ReceiveKey& key) noexcept {
    return entry.request != MPI_REQUEST_NULL && entry.is_for(key);
  }
  /// If not: makes it so where it is worth it, or gives it back and returns false.
  [[nodiscard]] static bool get_ready(Entry& entry, const ReceiveKey& key,
                                      MPI_Datatype type) noexcept;

  /// Its transfer has ended well: the request waits for the next start.
  static void give_back(Entry& entry) noexcept {
    entry.taken_.store(false, std::memory_order_release);
  }

  /// Its transfer ended otherwise, or nobody will ask: the request is not used again.
  static void end(Entry& entry) noexcept;

  /// The channel will be freed.
  void forget(Channel channel) noexcept;

  /// Whether a request's word is an entry of this table: then which. Nothing that a
  /// library calls an MPI_Request has such an address.
  [[nodiscard]] Entry* find(const Request& request) noexcept {
    const std::uintptr_t offset = request.handle - reinterpret_cast<std::uintptr_t>(&entries_);
    return offset < sizeof entries_ ? reinterpret_cast<Entry*>(request.handle) : nullptr;
  }
  [[nodiscard]] static Request to_request(const Entry& entry) noexcept {
    return {reinterpret_cast<std::uintptr_t>(&entry)};
  }

 private:
  static constexpr unsigned bits = 10;

  [[nodiscard]] static std::size_t place_of(const ReceiveKey& key) noexcept {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio
    const std::uint64_t all =
        reinterpret_cast<std::uintptr_t>(key.address) ^ std::rotr(key.envelope, 20) ^ key.channel;
    return all * odd >> (64U - bits);
  }

  std::array<Entry, 1U << bits> entries_;
};

}  // namespace waybill::transport::mpi
