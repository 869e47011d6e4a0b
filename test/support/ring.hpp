// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Neighbours of this rank in a ring, and data whose every element tells where
/// it comes from.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waybill/communicator.hpp"

namespace test_support {

struct Ring {
  explicit Ring(const waybill::Communicator& comm)
      : rank(comm.rank()),
        size(comm.size()),
        next((rank + 1) % size),
        previous((rank + size - 1) % size) {}
  int rank;
  int size;
  int next;
  int previous;
};

/// Sizes at which libraries change their ways: none, eager, copied, rendezvous.
inline const std::vector<std::size_t> sizes{0, 64, 1024, 65536, std::size_t{4} << 20};

/// Byte i of the message number @p number from @p rank.
inline std::uint8_t pattern(int rank, std::size_t number, std::size_t i) {
  std::size_t mixed = i * 31 + static_cast<std::size_t>(rank) * 101 + number * 17;
  mixed ^= mixed >> 8;
  return static_cast<std::uint8_t>(mixed);
}

inline std::vector<std::uint8_t> message(int rank, std::size_t number, std::size_t bytes) {
  std::vector<std::uint8_t> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(rank, number, i);
  return data;
}

}  // namespace test_support
