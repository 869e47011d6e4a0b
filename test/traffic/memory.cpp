// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <algorithm>

namespace traffic {

Memory::Memory(const Plan& plan, int rank) {
  for (const Message& message : plan.messages) {
    const std::size_t element = message.element_bytes();
    if (message.source == rank && message.content == message.step) {
      place({message.step, true}, message.send, element, message.bytes());
    }
    if (message.destination == rank) {
      place({message.step, false}, message.receive, element, receive_bytes(plan, message));
    }
  }
  for (const Extra& extra : plan.extras) {
    if (extra.rank == rank) place({extra.step, false}, Side(), 1, extra.bytes);
  }
  for (const auto& [element, lone] : waiting_) {
    std::uint8_t* const first = piece(lone.rows * 2 * lone.row_bytes);
    areas_[lone.key] = {first, lone.rows, lone.row_bytes, 2 * lone.row_bytes};
  }
  for (const Message& message : plan.messages) {
    const auto found = areas_.find({message.step, true});
    if (found != areas_.end()) fill(found->second, key_of(plan, message.step));
  }
}

std::size_t Memory::receive_bytes(const Plan& plan, const Message& message) {
  if (message.lane != Lane::wildcard) {
    return (message.elements + message.receive.room) * message.element_bytes();
  }
  std::size_t longest = 0;
  for (const Message& other : plan.messages) {
    if (other.lane == Lane::wildcard && other.destination == message.destination) {
      longest = std::max(longest, other.bytes());
    }
  }
  return longest;
}

void Memory::place(const Key& key, const Side& side, std::size_t element_bytes, std::size_t bytes) {
  const std::size_t row_bytes = side.columns * element_bytes;
  switch (side.shape) {
    case Shape::alone: areas_[key] = {piece(bytes), 1, bytes, bytes}; break;
    case Shape::close: areas_[key] = {close_piece(bytes, element_bytes), 1, bytes, bytes}; break;
    case Shape::rows: {
      const std::size_t stride = row_bytes + element_bytes * (1 + key.first % 3);
      areas_[key] = {piece(bytes / row_bytes * stride), bytes / row_bytes, row_bytes, stride};
      break;
    }
    case Shape::woven: weave(key, element_bytes, bytes / row_bytes, row_bytes); break;
    case Shape::owned: break;
  }
}

void Memory::weave(const Key& key, std::size_t element_bytes, std::size_t rows,
                   std::size_t row_bytes) {
  const auto found = waiting_.find(element_bytes);
  if (found == waiting_.end()) {
    waiting_[element_bytes] = {key, rows, row_bytes};
    return;
  }
  const Waiting other = found->second;
  waiting_.erase(found);
  const std::size_t stride = row_bytes + other.row_bytes;
  std::uint8_t* const first = piece(std::max(rows, other.rows) * stride);
  areas_[other.key] = {first, other.rows, other.row_bytes, stride};
  areas_[key] = {first + other.row_bytes, rows, row_bytes, stride};
}

std::uint8_t* Memory::piece(std::size_t bytes) {
  return pieces_.emplace_back(std::max<std::size_t>(bytes, 8), untouched).data();
}

/// One behind the other, in pieces that hold many.
std::uint8_t* Memory::close_piece(std::size_t bytes, std::size_t element_bytes) {
  constexpr std::size_t usual = 64 * 1024;
  const std::size_t lost = close_left_ % element_bytes;  // a piece is a multiple of 8 long
  if (close_ == nullptr || close_left_ < bytes + lost) {
    close_left_ = std::max(usual, (bytes + 7) / 8 * 8);
    close_ = piece(close_left_);
    return close_piece(bytes, element_bytes);
  }
  std::uint8_t* const at = close_ + lost;
  close_ = at + bytes;
  close_left_ -= bytes + lost;
  return at;
}

}  // namespace traffic
