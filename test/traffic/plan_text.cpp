// SPDX-License-Identifier: BSD-3-Clause
// A plan in words, for people who look for the reason of an error.
#include "plan.hpp"

namespace traffic {

namespace {

std::string describe(const Message& message, const Side& side) {
  static constexpr const char* shapes[] = {"alone", "close", "rows", "woven", "owned"};
  static constexpr const char* ways[] = {"wait", "test",   "timed",    "lone_any", "all",   "any",
                                         "some", "detach", "blocking", "probed",   "paired"};
  std::string text = "thread " + std::to_string(side.thread) + ", " +
                     shapes[static_cast<std::size_t>(side.shape)] + ", " +
                     ways[static_cast<std::size_t>(side.way)];
  if (side.way == Way::paired) text += " with " + std::to_string(side.partner);
  if (side.shape == Shape::rows || side.shape == Shape::woven) {
    text += ", columns " + std::to_string(side.columns);
  }
  if (side.room > 0) text += ", room " + std::to_string(side.room);
  if (side.any_source) text += ", any source";
  if (side.any_tag) text += ", any tag";
  if (&side == &message.receive && side.asks_size) text += ", asks";
  return text;
}

}  // namespace

std::string describe(const Message& message) {
  static constexpr const char* names[] = {"tagged", "exact", "half", "ordered", "wildcard"};
  std::string text =
      std::to_string(message.step) + ": " + names[static_cast<std::size_t>(message.lane)] + ", " +
      std::to_string(message.source) + " to " + std::to_string(message.destination) + ", tag " +
      std::to_string(message.tag) + ", " + std::to_string(message.elements) + " x " +
      std::to_string(message.element_bytes()) + " B";
  if (message.content != message.step) text += " of step " + std::to_string(message.content);
  return text + "; sent: " + describe(message, message.send) +
         "; received: " + describe(message, message.receive);
}

}  // namespace traffic
