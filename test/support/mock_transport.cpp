// SPDX-License-Identifier: BSD-3-Clause
#include "support/mock_transport.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/activity.hpp"

namespace test_support {

namespace {

using waybill::BufferShape;

/// The bytes of a buffer, row by row.
std::vector<std::byte> pack(const BufferShape& buffer) {
  std::vector<std::byte> bytes(buffer.bytes());
  const std::size_t row = buffer.columns * buffer.element_bytes;
  const auto* from = static_cast<const std::byte*>(buffer.address);
  for (std::size_t r = 0; r < buffer.rows && row != 0; ++r) {
    std::memcpy(bytes.data() + r * row, from + r * buffer.stride_bytes, row);
  }
  return bytes;
}

void unpack(const std::vector<std::byte>& bytes, const BufferShape& buffer) {
  const std::size_t row = buffer.columns * buffer.element_bytes;
  auto* to = static_cast<std::byte*>(const_cast<void*>(buffer.address));
  std::size_t done = 0;
  for (std::size_t r = 0; r < buffer.rows && done < bytes.size(); ++r) {
    const std::size_t part = std::min(row, bytes.size() - done);
    std::memcpy(to + r * buffer.stride_bytes, bytes.data() + done, part);
    done += part;
  }
}

bool meets(const MockTransport::Envelope& send, const MockTransport::Envelope& receive) {
  return send.channel == receive.channel &&
         (receive.tag == waybill::any_tag || receive.tag == send.tag);
}

}  // namespace

MockTransport::Request MockTransport::add(Transfer&& transfer) {
  inside = waybill::engine::sum_activity().inside;
  transfer.id = next_id_++;
  transfers_.push_back(std::move(transfer));
  by_id_.emplace(transfers_.back().id, std::prev(transfers_.end()));
  return {transfers_.back().id};
}

void MockTransport::match(Transfer& send, Transfer& receive) {
  for (Transfer* transfer : {&send, &receive}) {
    transfer->matched = true;
    transfer->looks_left = static_cast<unsigned>(random_() % (most_looks_ + 1));
  }
  receive.result.source = 0;
  receive.result.tag = send.envelope.tag;
  receive.result.bytes = send.message.size();
  if (send.message.size() > receive.buffer.bytes()) {
    receive.result.failure =
        std::make_unique<waybill::transport::Failure>(waybill::transport::Failure{
            waybill::Errc::truncated, "mock", "truncated", send.message.size()});
    return;
  }
  receive.message = std::move(send.message);
}

bool MockTransport::refuses() noexcept {
  if (refuse_posts || posts_until_refusal == 0) return true;
  if (posts_until_refusal > 0) --posts_until_refusal;
  return false;
}

void MockTransport::erase(std::uintptr_t id) {
  const auto found = by_id_.find(id);
  transfers_.erase(found->second);
  by_id_.erase(found);
}

waybill::transport::Posted MockTransport::send_plain(const void* address,
                                                     waybill::transport::PlainCount count, int peer,
                                                     int tag,
                                                     waybill::transport::Channel channel) noexcept {
  waybill::transport::Posted posted = Transport::send_plain(address, count, peer, tag, channel);
  if (posted.failure != nullptr) return posted;
  const std::lock_guard lock(mutex_);
  if (!sends_end_at_post) return posted;
  Transfer& send = *by_id_.at(posted.request.handle);
  send.ended_at_post = true;
  if (send.matched) erase(send.id);
  return {};
}

MockTransport::Failure* MockTransport::send(const BufferShape& buffer, Envelope to,
                                            Request& request) noexcept {
  const std::lock_guard lock(mutex_);
  if (refuses()) {
    return new Failure{waybill::Errc::transport, "mock", "refused", std::nullopt};
  }
  Transfer transfer;
  transfer.envelope = to;
  transfer.buffer = buffer;
  if (to.peer != waybill::null_rank) transfer.message = pack(buffer);
  request = add(std::move(transfer));
  Transfer& mine = *by_id_.at(request.handle);
  if (to.peer == waybill::null_rank) mine.matched = true;
  for (Transfer& other : transfers_) {
    if (mine.matched) break;
    if (!other.is_send && !other.matched && meets(to, other.envelope)) match(mine, other);
  }
  return nullptr;
}

MockTransport::Failure* MockTransport::receive(const BufferShape& buffer, Envelope from,
                                               Request& request) noexcept {
  const std::lock_guard lock(mutex_);
  if (refuses()) {
    return new Failure{waybill::Errc::transport, "mock", "refused", std::nullopt};
  }
  Transfer transfer;
  transfer.is_send = false;
  transfer.envelope = from;
  transfer.buffer = buffer;
  request = add(std::move(transfer));
  Transfer& mine = *by_id_.at(request.handle);
  if (from.peer == waybill::null_rank) {
    mine.matched = true;
    mine.result.source = waybill::null_rank;
  }
  for (Transfer& other : transfers_) {
    if (mine.matched) break;
    if (!other.is_send || other.matched || !meets(other.envelope, from)) continue;
    match(other, mine);
    if (other.ended_at_post) erase(other.id);
    break;
  }
  return nullptr;
}

MockTransport::Outcome MockTransport::test(Request& request, waybill::transport::Tested what,
                                           Completion& completion) noexcept {
  inside = waybill::engine::sum_activity().inside;
  std::unique_lock lock(mutex_);
  const auto found = by_id_.find(request.handle);
  if (found == by_id_.end()) {
    collisions.fetch_add(1);
    return Outcome::ended;
  }
  Transfer& transfer = *found->second;
  if (transfer.under_test) collisions.fetch_add(1);
  transfer.under_test = true;
  lock.unlock();  // another thread on the same request would be seen now
  lock.lock();
  transfer.under_test = false;
  if (!transfer.matched && !transfer.cancelled) return Outcome::in_flight;
  if (transfer.looks_left > 0) {
    --transfer.looks_left;
    return Outcome::in_flight;
  }
  completion = std::move(transfer.result);
  Outcome outcome = completion.failure != nullptr ? Outcome::failed : Outcome::ended;
  // Whoever cancels says so, or would take nothing for a message.
  if (transfer.cancelled && what.cancel_asked) outcome = Outcome::cancelled;
  const waybill::BufferShape buffer = transfer.buffer;
  const std::vector<std::byte> message =
      transfer.is_send ? std::vector<std::byte>() : std::move(transfer.message);
  transfers_.erase(found->second);
  by_id_.erase(found);
  lock.unlock();
  unpack(message, buffer);
  return outcome;
}

MockTransport::Failure* MockTransport::collective(const waybill::transport::Collective& call,
                                                  Request& request) noexcept {
  if (in_collective) in_collective();
  const std::lock_guard lock(mutex_);
  if (refuses()) {
    return new Failure{waybill::Errc::transport, "mock", "refused", std::nullopt};
  }
  Transfer transfer;
  transfer.is_send = false;
  transfer.matched = true;
  transfer.looks_left = static_cast<unsigned>(random_() % (most_looks_ + 1));
  transfer.buffer = call.result;
  const bool both = !call.contribution.in_place && !call.result.in_place;
  if (both && call.result.elements() != 0) {
    transfer.message = pack(call.contribution);
  }
  request = add(std::move(transfer));
  return nullptr;
}

bool MockTransport::has_ended(const Request& request, waybill::registry::Kind /*kind*/) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(request.handle);
  if (found == by_id_.end()) return true;
  if (found->second->under_test) collisions.fetch_add(1);
  return found->second->cancelled || (found->second->matched && found->second->looks_left == 0);
}

void MockTransport::cancel(Request& request) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(request.handle);
  if (found != by_id_.end() && !found->second->matched) found->second->cancelled = true;
}

void MockTransport::abandon(Request& request, waybill::registry::Kind /*kind*/) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(request.handle);
  if (found == by_id_.end()) return;
  transfers_.erase(found->second);
  by_id_.erase(found);
}

MockTransport::FailurePointer MockTransport::probe(const Envelope& from, bool& found,
                                                   Completion& message) noexcept {
  const std::lock_guard lock(mutex_);
  found = false;
  for (const Transfer& transfer : transfers_) {
    if (!transfer.is_send || transfer.matched || !meets(transfer.envelope, from)) continue;
    found = true;
    message.source = 0;
    message.tag = transfer.envelope.tag;
    message.bytes = transfer.message.size();
    break;
  }
  return nullptr;
}

std::size_t MockTransport::in_flight() {
  const std::lock_guard lock(mutex_);
  return transfers_.size();
}

}  // namespace test_support
