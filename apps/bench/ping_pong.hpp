// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Between ranks 0 and 1, on either side.

#include <cstddef>
#include <vector>

namespace bench {

inline constexpr int ping_pong_tag = 1;

/// A message there and one back, by handles. The receive is posted when the send
/// is locally complete.
struct HandlePingPong {
  static constexpr const char* name = "isend";
  std::vector<std::byte>& data;
  int rank;

  template <class Side>
  void operator()(const Side& side, std::size_t iterations) const {
    for (std::size_t i = 0; i < iterations; ++i) {
      if (rank == 0) send(side);
      receive(side);
      if (rank == 1) send(side);
    }
  }
  template <class Side>
  void send(const Side& side) const {
    typename Side::Handle handle = side.isend(data, 1 - rank, ping_pong_tag);
    side.wait(handle);
  }
  template <class Side>
  void receive(const Side& side) const {
    typename Side::Handle handle = side.irecv(data, 1 - rank, ping_pong_tag);
    side.wait(handle);
  }
};

}  // namespace bench
