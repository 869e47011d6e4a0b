// SPDX-License-Identifier: BSD-3-Clause
// How a Player posts and ends operations.
#include <chrono>
#include <thread>

#include "player.hpp"
#include "waybill/wait.hpp"

namespace traffic {

using waybill::Communicator;
using waybill::Work;

int Player::peer(const Part& part) const {
  const Message& message = *part.message;
  if (!part.is_send && message.receive.any_source) return waybill::any_source;
  return Communicators::rank_on(message.lane, part.is_send ? message.destination : message.source);
}

waybill::SendBuffer Player::send_buffer(const Part& part) const {
  return waybill::SendBuffer(shape_of(part.area, part.message->element));
}

waybill::RecvBuffer Player::receive_buffer(const Part& part) const {
  const waybill::RecvBuffer buffer(shape_of(part.area, part.message->element));
  const Side& side = part.side();
  return side.room > 0 && !side.asks_size ? waybill::up_to(buffer) : buffer;
}

void Player::post(Part& part) {
  const Message& message = *part.message;
  const Mutation* const mutation = stage_.mutation;
  if (mutation != nullptr && mutation->mistake == Mistake::omit && mutation->step == message.step &&
      part.is_send) {
    return;
  }
  change_area(part);
  const Communicator& comm = stage_.communicators.of(message.lane);
  const auto line = where(message.step, part.is_send);
  stage_.verdict.at(thread_, message.step);
  const int tag = !part.is_send && message.receive.any_tag ? waybill::any_tag : message.tag;
  if (part.is_owned() && part.is_send) {
    Bytes bytes(message.bytes());
    fill({bytes.data(), 1, bytes.size(), bytes.size()}, key_of(stage_.plan, message.content));
    part.owned = comm.isend(std::move(bytes), peer(part), tag, line);
  } else if (part.is_owned()) {
    Bytes bytes(Memory::receive_bytes(stage_.plan, message), untouched);
    part.owned = comm.irecv(std::move(bytes), peer(part), tag, line);
  } else if (part.is_send) {
    part.work = comm.isend(send_buffer(part), peer(part), tag, line);
    if (message.send.looks) check_bytes(part);
  } else {
    part.work = comm.irecv(receive_buffer(part), peer(part), tag, line);
  }
  if (spoil(part)) return;
  if (part.side().way == Way::detach) {
    part.handle().detach();
    late_.push_back(&part);
  } else {
    unfinished_.push_back(&part);
  }
}

void Player::finish(Part& part) {
  stage_.verdict.at(thread_, part.message->step);
  Work& work = part.handle();
  try {
    switch (part.side().way) {
      case Way::test:
        while (!work.test()) std::this_thread::yield();
        break;
      case Way::timed:
        while (!work.wait_for(std::chrono::microseconds(dice_.below(300)))) {
        }
        break;
      case Way::lone_any:
        if (waybill::wait_any({&work, 1}) != std::size_t{0})
          complain(part, "wait_any() saw nothing");
        break;
      default:
        work.wait();
        if (dice_.one_in(8)) work.wait();
    }
  } catch (const waybill::Error& error) {
    if (!mutated(Mistake::enlarge, part) || error.code() != waybill::Errc::truncated) throw;
  }
  ended(part);
}

void Player::finish_group(const std::vector<Part*>& group) {
  std::vector<Work> works;
  for (Part* part : group) works.push_back(std::move(part->work));
  const Way way = group.front()->side().way;
  stage_.verdict.at(thread_, group.front()->message->step);
  if (way == Way::all) {
    if (!waybill::wait_all_for(works, std::chrono::microseconds(dice_.below(300)))) {
      waybill::wait_all(works);
    }
  } else if (way == Way::any) {
    while (waybill::wait_any(works)) {
    }
  } else {
    while (!waybill::wait_some(works).empty()) {
    }
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i]->work = std::move(works[i]);
    ended(*group[i]);
  }
}

/// send(), recv(), probe() and recv(), sendrecv().
void Player::call(Part& part) {
  const Message& message = *part.message;
  const Communicator& comm = stage_.communicators.of(message.lane);
  const auto line = where(message.step, part.is_send);
  stage_.verdict.at(thread_, message.step);
  if (part.side().way == Way::paired) {
    for (Part* other : calls_) {
      if (other->message->step == part.side().partner && !other->is_send) {
        send_and_receive(part, *other);
      }
    }
    return;
  }
  if (part.is_send) {
    comm.send(send_buffer(part), peer(part), message.tag, line);
    check_bytes(part);
    return;
  }
  const int tag = message.receive.any_tag ? waybill::any_tag : message.tag;
  if (part.side().way == Way::probed) {
    check_status(part, comm.probe(peer(part), tag, line));
  }
  const waybill::Status status = comm.recv(receive_buffer(part), peer(part), tag, line);
  if (part.side().asks_size) check_status(part, status);
  check_bytes(part);
}

void Player::send_and_receive(const Part& sent, Part& received) {
  const Message& message = *sent.message;
  const waybill::Status status =
      stage_.communicators.of(message.lane)
          .sendrecv(send_buffer(sent), peer(sent), receive_buffer(received), peer(received),
                    message.tag, where(message.step, true));
  if (received.side().asks_size) check_status(received, status);
  check_bytes(sent);
  check_bytes(received);
}

void Player::post_extra(const Extra& extra) {
  const Communicator& comm = stage_.communicators.of(extra.lane);
  const Area area = stage_.memory.extra(extra);
  const waybill::RecvBuffer buffer(shape_of(area, Element::byte));
  const int from = extra.cancelled
                       ? static_cast<int>(dice_.below(static_cast<std::size_t>(comm.size())))
                       : waybill::null_rank;
  extras_.emplace_back(&extra, comm.irecv(buffer, from, extra.tag, where(extra.step, false)));
}

void Player::finish_extra(const Extra& extra, Work& work) {
  stage_.verdict.at(thread_, extra.step);
  if (!extra.cancelled) {
    work.wait();
    if (work.status().source() != waybill::null_rank || work.status().bytes() != 0) {
      stage_.verdict.complain(extra.step, false, "null_rank sent something");
    }
    return;
  }
  if (work.wait_for(std::chrono::microseconds(dice_.below(200)))) {
    stage_.verdict.complain(extra.step, false, "received what nobody sent");
  } else if (!work.cancel()) {
    stage_.verdict.complain(extra.step, false, "was not taken back");
    work.wait();
  }
  if (first_wrong(stage_.memory.extra(extra), 0, 0)) {
    stage_.verdict.complain(extra.step, false, "was written, though it never matched");
  }
}

}  // namespace traffic
