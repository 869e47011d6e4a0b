// SPDX-License-Identifier: BSD-3-Clause
#include "player.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "waybill/status.hpp"
#include "waybill/wait.hpp"

namespace traffic {

using waybill::Communicator;
using waybill::Work;

namespace {

std::uint64_t dice_seed(const Stage& stage, int thread) {
  return stage.plan.seed * 1'000'003 + static_cast<std::uint64_t>(stage.rank * 64 + thread) + 1;
}

}  // namespace

Player::Player(const Stage& stage, int thread)
    : stage_(stage), thread_(thread), dice_(dice_seed(stage, thread)) {
  collect();
}

/// The parts of this thread; in steps, so that those of the ordered lane can keep their order.
void Player::collect() {
  std::vector<int> readers(stage_.plan.messages.size() + 1);
  for (const Message& message : stage_.plan.messages) ++readers[message.content];
  for (const Message& message : stage_.plan.messages) {
    for (const bool is_send : {true, false}) {
      const Side& side = is_send ? message.send : message.receive;
      if ((is_send ? message.source : message.destination) != stage_.rank) continue;
      if (side.thread != thread_) continue;
      Part part;
      part.message = &message;
      part.is_send = is_send;
      part.shared = is_send && readers[message.content] > 1;
      if (side.shape != Shape::owned) {
        part.area = is_send ? stage_.memory.send(message) : stage_.memory.receive(message);
      }
      parts_.push_back(std::move(part));
    }
  }
}

void Player::play() noexcept {
  try {
    post_all();
    for (std::vector<Action> actions : {blocking_calls(), endings()}) {
      dice_.shuffle(actions);
      for (const Action& action : actions) action();
    }
    stage_.verdict.at(thread_, 0);
  } catch (const std::exception& error) {
    stage_.verdict.complain(0, false, error.what());
  }
}

void Player::post_all() {
  std::vector<Part*> order;
  for (Part& part : parts_) {
    (part.side().way >= Way::blocking ? calls_ : order).push_back(&part);
  }
  dice_.shuffle(order);
  // The places that the ordered lane has got are given out in the order of the steps.
  std::vector<std::size_t> places;
  std::vector<Part*> ordered;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i]->message->lane != Lane::ordered) continue;
    places.push_back(i);
    ordered.push_back(order[i]);
  }
  std::sort(ordered.begin(), ordered.end(),
            [](const Part* a, const Part* b) { return a->message->step < b->message->step; });
  for (std::size_t i = 0; i < places.size(); ++i) order[places[i]] = ordered[i];

  for (const Extra& extra : stage_.plan.extras) {
    if (extra.rank == stage_.rank && extra.thread == thread_) post_extra(extra);
  }
  for (Part* part : order) post(*part);
}

std::vector<Player::Action> Player::blocking_calls() {
  std::vector<Action> all;
  for (Part* part : calls_) {
    // the send stands for both
    if (part->side().way == Way::paired && !part->is_send) continue;
    all.emplace_back([this, part] { call(*part); });
  }
  return all;
}

std::vector<Player::Action> Player::endings() {
  std::vector<Action> all;
  for (auto& [extra, work] : extras_) {
    all.emplace_back([this, extra = extra, work = &work] { finish_extra(*extra, *work); });
  }
  for (Part* part : unfinished_) {
    const Way way = part->side().way;
    if (way < Way::all) all.emplace_back([this, part] { finish(*part); });
  }
  add_groups(all);
  return all;
}

void Player::add_groups(std::vector<Action>& all) {
  for (const Way way : {Way::all, Way::any, Way::some}) {
    std::vector<Part*> group;
    for (Part* part : unfinished_) {
      if (part->side().way == way) group.push_back(part);
      const bool last = part == unfinished_.back();
      if (group.empty() || (!last && !dice_.one_in(8))) continue;
      all.emplace_back([this, group] { finish_group(group); });
      group.clear();
    }
  }
}

bool Player::mutated(Mistake mistake, const Part& part) const {
  const Mutation* const mutation = stage_.mutation;
  return mutation != nullptr && mutation->mistake == mistake &&
         mutation->hits(part.message->step, part.is_send);
}

/// Findings name the plan as file, the end of the message as function, and the step as line.
waybill::SourceLocation Player::where(std::size_t step, bool is_send) const {
  return waybill::SourceLocation::current(stage_.plan.name, is_send ? "send" : "receive",
                                          static_cast<std::uint32_t>(step));
}

void Player::complain(const Part& part, const std::string& what) const {
  const std::size_t step = part.message->step;
  if (stage_.mutation != nullptr && stage_.mutation->spoils(step)) return;
  stage_.verdict.complain(step, part.is_send, what);
}

/// After a completion that somebody saw.
void Player::ended(Part& part) {
  if (!part.is_send && !mutated(Mistake::enlarge, part)) {
    const bool asks = part.side().asks_size || (part.is_owned() && part.side().room > 0);
    if (asks) check_status(part, part.handle().status());
  }
  if (!part.is_owned()) {
    check_bytes(part);
    // It is the program's again.
    if (!part.shared && dice_.one_in(2)) fill_untouched(part.area);
    return;
  }
  Bytes bytes = part.owned.take();
  part.area = {bytes.data(), 1, bytes.size(), bytes.size()};
  check_bytes(part);
}

void Player::check_status(Part& part, const waybill::Status& status) {
  const Message* message = part.message;
  const Lane lane = message->lane;
  if (lane == Lane::wildcard) {
    message = part.came = stage_.taken.take(status.source(), status.tag());
    if (message == nullptr) {
      complain(part, "took a message that nobody sent, or for a second time: from rank " +
                         std::to_string(status.source()) + " with tag " +
                         std::to_string(status.tag()));
      return;
    }
  }
  const int source = Communicators::rank_on(lane, message->source);
  if (status.source() != source || status.tag() != message->tag ||
      status.bytes() != message->bytes()) {
    complain(part, "the status says rank " + std::to_string(status.source()) + ", tag " +
                       std::to_string(status.tag()) + " and " + std::to_string(status.bytes()) +
                       " B");
  }
}

void Player::check_bytes(const Part& part) {
  const Message* message = part.message;
  if (!part.is_send && message->lane == Lane::wildcard) message = part.came;
  if (message == nullptr) return;
  const std::uint64_t key = key_of(stage_.plan, message->content);
  const std::size_t bytes = part.is_send ? part.area.bytes() : message->bytes();
  if (const auto wrong = first_wrong(part.area, key, bytes); wrong) {
    complain(part, "byte " + std::to_string(*wrong) + " of " + std::to_string(part.area.bytes()) +
                       " is " + std::to_string(part.area.byte(*wrong)));
  }
  if (part.side().shape != Shape::rows) return;
  if (const auto wrong = first_wrong_in_gaps(part.area); wrong) {
    complain(part, "byte " + std::to_string(*wrong) + ", between two rows, was written");
  }
}

void Player::check_late() {
  for (const Part* part : late_) {
    if (!part->is_owned()) check_bytes(*part);
  }
}

}  // namespace traffic
