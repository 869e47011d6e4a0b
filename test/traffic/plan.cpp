// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "dice.hpp"

namespace traffic {

namespace {

/// Where findings look for the name of a file: it must outlive every Runtime.
const char* name_of(std::uint64_t seed) {
  static std::mutex mutex;
  static std::deque<std::string> names;
  const std::lock_guard lock(mutex);
  return names.emplace_back("seed" + std::to_string(seed)).c_str();
}

class Planner {
 public:
  Planner(std::uint64_t seed, int ranks, const Size& size) : dice_(seed), size_(size) {
    plan_.seed = seed;
    plan_.name = name_of(seed);
    plan_.ranks = ranks;
    plan_.fresh = dice_.one_in(8);
    constexpr int choices[] = {1, 1, 1, 2, 2, 3, 4, 8};
    plan_.threads = size.threads > 0 ? size.threads : choices[dice_.below(8)];
  }

  Plan make() {
    const std::size_t count = number_of_messages();
    for (std::size_t i = 0; i < count; ++i) add_message();
    pair_up();
    add_extras();
    return std::move(plan_);
  }

 private:
  std::size_t number_of_messages() {
    if (size_.messages > 0) return size_.messages;
    if (dice_.one_in(40)) return std::min(size_.most_messages, 1500 + dice_.below(4500));
    return std::min(size_.most_messages, std::size_t{4} << dice_.below(7) | dice_.below(16));
  }

  void add_message() {
    Message message;
    message.step = plan_.messages.size() + 1;
    message.content = message.step;
    message.lane = static_cast<Lane>(dice_.below(lanes));
    message.source = rank();
    message.destination = rank();
    if (message.lane == Lane::half && (message.source - message.destination) % 2 != 0) {
      message.destination = message.source;
    }
    choose_size(message);
    choose_side(message, message.send);
    choose_side(message, message.receive);
    obey_lane(message);
    if (message.receive.way == Way::blocking || message.receive.way == Way::probed) {
      // its partner must not wait for it in turn
      if (message.send.way == Way::blocking) message.send.way = Way::wait;
    }
    fit_shape(message, message.send);
    fit_shape(message, message.receive);
    if (dice_.one_in(12)) share_content(message);
    plan_.messages.push_back(message);
  }

  int rank() { return static_cast<int>(dice_.below(static_cast<std::size_t>(plan_.ranks))); }

  void choose_size(Message& message) {
    message.element = static_cast<Element>(dice_.below(3));
    const std::size_t kind = dice_.below(100);
    std::size_t bytes = kind < 5    ? 0
                        : kind < 65 ? dice_.below(257)
                        : kind < 90 ? dice_.below(8193)
                        : kind < 98 ? dice_.below(200'001)
                                    : dice_.below((std::size_t{4} << 20) + 1);
    if (message.lane == Lane::wildcard) bytes = std::min<std::size_t>(bytes, 16'384);
    if (bytes > 256 && used_bytes_ + bytes > size_.most_bytes) bytes = dice_.below(257);
    used_bytes_ += bytes;
    message.elements = bytes / message.element_bytes();
    // most rows have more than one element
    if (message.elements > 64 && !dice_.one_in(4)) message.elements &= ~std::size_t{63};
  }

  void choose_side(const Message& message, Side& side) {
    const bool is_receive = &side == &message.receive;
    side.thread = static_cast<int>(dice_.below(static_cast<std::size_t>(plan_.threads)));
    side.shape = static_cast<Shape>(dice_.below(5));
    side.way = static_cast<Way>(dice_.below(10));
    if (!is_receive && side.way == Way::probed) side.way = Way::wait;
    if (is_receive) {
      side.room = dice_.one_in(4) ? dice_.below(40) : 0;
      side.asks_size = dice_.one_in(2);
      side.any_source = dice_.one_in(4);
    } else {
      side.looks = dice_.one_in(4);
    }
  }

  void obey_lane(Message& message) {
    message.tag = static_cast<int>(message.step);
    Side& receive = message.receive;
    if (message.lane != Lane::tagged && message.lane != Lane::half) receive.any_source = false;
    if (message.lane == Lane::ordered) {
      // One thread posts them at each end; who blocks would come behind later ones.
      message.tag = 3;
      message.send.thread = (message.source + message.destination) % plan_.threads;
      receive.thread = (message.source + 2 * message.destination) % plan_.threads;
      receive.any_tag = dice_.one_in(3);
      if (message.send.way >= Way::blocking) message.send.way = Way::wait;
      if (receive.way >= Way::blocking) receive.way = Way::test;
    }
    if (message.lane == Lane::wildcard) {
      message.element = Element::byte;
      receive.any_source = receive.any_tag = receive.asks_size = true;
      receive.room = 0;  // its buffer takes the longest message there is
      if (message.send.way >= Way::blocking) message.send.way = Way::wait;
      if (receive.way == Way::probed || receive.way == Way::detach) receive.way = Way::wait;
      if (receive.shape != Shape::owned) receive.shape = Shape::alone;
    }
  }

  /// Rows need a number of elements that they divide, and room would end in a part of one.
  void fit_shape(Message& message, Side& side) {
    constexpr std::size_t widths[] = {1, 2, 3, 8, 64};
    constexpr std::size_t most_rows = 20'000;
    if (side.shape == Shape::owned) {
      message.element = Element::byte;
      if (side.way >= Way::lone_any && side.way <= Way::some) side.way = Way::timed;
      if (side.way >= Way::blocking) side.shape = Shape::alone;
    }
    if (side.shape != Shape::rows && side.shape != Shape::woven) return;
    side.columns = widths[dice_.below(5)];
    side.room -= side.room % side.columns;
    const std::size_t rows = (message.elements + side.room) / side.columns;
    if (message.elements % side.columns != 0 || rows == 0 || rows > most_rows) {
      side.shape = Shape::close;
    }
  }

  /// Sends the memory of an earlier message of that rank once more: all only read it.
  void share_content(Message& message) {
    for (const Message& earlier : plan_.messages) {
      if (earlier.source != message.source || earlier.element != message.element ||
          earlier.elements != message.elements || earlier.content != earlier.step ||
          earlier.send.shape != Shape::alone || message.send.shape == Shape::owned) {
        continue;
      }
      message.send.shape = Shape::alone;
      message.content = earlier.step;
      return;
    }
  }

  /// Makes sendrecv() out of a blocking send and a blocking receive of one thread on one
  /// lane, whose partners do not block.
  void pair_up() {
    for (Message& sent : plan_.messages) {
      if (sent.send.way != Way::blocking) continue;
      for (Message& received : plan_.messages) {
        if (received.receive.way != Way::blocking || received.destination != sent.source ||
            received.receive.thread != sent.send.thread || received.lane != sent.lane ||
            received.lane == Lane::wildcard || sent.destination == sent.source) {
          continue;
        }
        sent.tag = received.tag;  // sendrecv() has one for both
        sent.send.way = received.receive.way = Way::paired;
        sent.send.partner = received.step;
        received.receive.partner = sent.step;
        break;
      }
    }
  }

  void add_extras() {
    const std::size_t count = dice_.below(6);
    for (std::size_t i = 0; i < count; ++i) {
      Extra extra;
      extra.step = plan_.messages.size() + 1 + i;
      extra.lane = static_cast<Lane>(dice_.below(lanes - 1));
      extra.rank = rank();
      extra.thread = static_cast<int>(dice_.below(static_cast<std::size_t>(plan_.threads)));
      extra.tag = never_sent + static_cast<int>(i);
      extra.bytes = dice_.below(10'000);
      extra.cancelled = dice_.one_in(2);
      plan_.extras.push_back(extra);
    }
  }

  static constexpr int never_sent = 20'000'000;
  Dice dice_;
  Size size_;
  Plan plan_;
  std::size_t used_bytes_ = 0;
};

}  // namespace

bool Plan::uses(Lane lane) const {
  const auto same = [lane](const auto& step) { return step.lane == lane; };
  return std::any_of(messages.begin(), messages.end(), same) ||
         std::any_of(extras.begin(), extras.end(), same);
}

Plan make_plan(std::uint64_t seed, int ranks, const Size& size) {
  return Planner(seed, ranks, size).make();
}

}  // namespace traffic
