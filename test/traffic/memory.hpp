// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// All buffers of one rank for one plan.

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "area.hpp"
#include "plan.hpp"

namespace traffic {

/// Lives until every operation of the plan is through. Send buffers are filled,
/// receive buffers untouched. Owned buffers are made by who moves them in.
class Memory {
 public:
  Memory(const Plan& plan, int rank);

  [[nodiscard]] Area send(const Message& message) const {
    return areas_.at({message.content, true});
  }
  [[nodiscard]] Area receive(const Message& message) const {
    return areas_.at({message.step, false});
  }
  /// For operations outside the messages.
  [[nodiscard]] Area extra(const Extra& extra) const { return areas_.at({extra.step, false}); }

  /// Of a receive: its message and its room, or the longest message of the wildcard lane.
  static std::size_t receive_bytes(const Plan& plan, const Message& message);

 private:
  using Key = std::pair<std::size_t, bool>;  // step, and whether it is the send
  struct Waiting {                           // a woven one that has no neighbour yet
    Key key;
    std::size_t rows, row_bytes;
  };

  void place(const Key& key, const Side& side, std::size_t element_bytes, std::size_t bytes);
  void weave(const Key& key, std::size_t element_bytes, std::size_t rows, std::size_t row_bytes);
  std::uint8_t* piece(std::size_t bytes);
  std::uint8_t* close_piece(std::size_t bytes, std::size_t element_bytes);

  std::deque<std::vector<std::uint8_t>> pieces_;
  std::map<Key, Area> areas_;
  std::map<std::size_t, Waiting> waiting_;  // by the size of an element
  std::uint8_t* close_ = nullptr;
  std::size_t close_left_ = 0;
};

}  // namespace traffic
