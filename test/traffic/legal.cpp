// SPDX-License-Identifier: BSD-3-Clause
// What a legal program keeps to, checked without regard to how plans are made.
#include <set>
#include <tuple>

#include "plan.hpp"

namespace traffic {

namespace {

bool blocks(Way way) { return way >= Way::blocking; }
bool in_group(Way way) { return way >= Way::all && way <= Way::some; }

const char* why_illegal(const Plan& plan, const Message& message) {
  const Side& send = message.send;
  const Side& receive = message.receive;
  if (blocks(send.way) && blocks(receive.way)) return "both ends block";
  if (send.way == Way::probed) return "a send is probed";
  if (message.lane == Lane::exact && (receive.any_source || receive.any_tag)) {
    return "a wildcard on the exact lane";
  }
  if (message.lane == Lane::half && (message.source - message.destination) % 2 != 0) {
    return "ranks of different halves";
  }
  if (message.lane == Lane::ordered && (blocks(send.way) || blocks(receive.way))) {
    return "blocks on the ordered lane";
  }
  if (message.lane == Lane::wildcard && blocks(send.way)) return "blocks for any receive";
  if (message.lane == Lane::wildcard && !receive.asks_size) return "nobody asks what came";
  for (const Side* side : {&send, &receive}) {
    if (side->thread < 0 || side->thread >= plan.threads) return "no such thread";
    if (side->shape == Shape::owned && message.element != Element::byte)
      return "owned and not bytes";
    if (side->shape == Shape::owned && (blocks(side->way) || in_group(side->way))) {
      return "an owned buffer in a group or a blocking call";
    }
    const bool in_rows = side->shape == Shape::rows || side->shape == Shape::woven;
    if (in_rows && (message.elements + side->room) % side->columns != 0) return "a part of a row";
  }
  const Message& content = plan.at(message.content);
  if (content.source != message.source || content.bytes() != message.bytes()) {
    return "shares the bytes of another message";
  }
  return nullptr;
}

}  // namespace

std::string why_illegal(const Plan& plan) {
  std::set<std::tuple<Lane, int, int>> tags;                      // of a destination
  std::set<std::tuple<int, int, int, int>> channels, directions;  // of the ordered lane
  for (const Message& message : plan.messages) {
    const std::string where = "step " + std::to_string(message.step) + ": ";
    if (const char* why = why_illegal(plan, message); why != nullptr) return where + why;
    if (message.lane == Lane::ordered) {
      directions.insert({message.source, message.destination, 0, 0});
      channels.insert(
          {message.source, message.destination, message.send.thread, message.receive.thread});
    } else if (!tags.insert({message.lane, message.destination, message.tag}).second) {
      return where + "two messages to one rank have the same tag";
    }
  }
  return directions.size() == channels.size() ? "" : "two threads post on one ordered channel";
}

}  // namespace traffic
