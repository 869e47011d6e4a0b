// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A message layer inside one process, for tests without a launcher: one rank
/// that sends to itself, any number of threads, seeded random delays.

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <random>
#include <unordered_map>
#include <vector>

#include "transport/channels.hpp"
#include "transport/transport.hpp"

namespace test_support {

/// Matches by channel and tag in order of posting, as MPI does. A matched
/// transfer completes after a random number of looks, so that every interleaving
/// of a waiter, the engine and the end of a handle comes up.
class MockTransport final : public waybill::transport::Transport {
 public:
  using Request = waybill::transport::Request;
  using Envelope = waybill::transport::Envelope;
  using Completion = waybill::transport::Completion;
  using Failure = waybill::transport::Failure;
  using Outcome = waybill::transport::Outcome;
  using FailurePointer = waybill::transport::FailurePointer;

  explicit MockTransport(std::uint64_t seed = 1, unsigned most_looks = 8)
      : random_(seed), most_looks_(most_looks) {}

  Failure* send(const waybill::BufferShape& buffer, Envelope to,
                Request& request) noexcept override;
  Failure* receive(const waybill::BufferShape& buffer, Envelope from,
                   Request& request) noexcept override;
  /// With sends_end_at_post, takes a copy and is done.
  waybill::transport::Posted send_plain(const void* address, waybill::transport::PlainCount count,
                                        int peer, int tag,
                                        waybill::transport::Channel channel) noexcept override;
  Outcome test(Request& request, waybill::transport::Tested what,
               Completion& completion) noexcept override;
  /// Of one rank: the contribution becomes the result.
  Failure* collective(const waybill::transport::Collective& call,
                      Request& request) noexcept override;
  std::size_t collectives_in_flight(waybill::transport::Channel /*channel*/) noexcept override {
    return 0;
  }
  bool has_ended(const Request& request, waybill::registry::Kind kind) noexcept override;
  void cancel(Request& request) noexcept override;
  void abandon(Request& request, waybill::registry::Kind kind) noexcept override;
  FailurePointer probe(const Envelope& from, bool& found, Completion& message) noexcept override;
  void progress() noexcept override { progress_calls.fetch_add(1); }
  waybill::registry::Footprint native_footprint(
      const waybill::BufferShape& /*buffer*/) noexcept override {
    return {};
  }

  std::atomic<bool> refuse_posts{false};
  /// Called in the middle of a collective's post, if set.
  std::function<void()> in_collective;
  /// So many more are taken, then none; negative: no limit.
  std::atomic<int> posts_until_refusal{-1};
  std::atomic<bool> sends_end_at_post{false};
  std::atomic<std::size_t> progress_calls{0};
  /// Threads that said so, when the last transfer was posted or tested.
  std::atomic<std::uint32_t> inside{0};
  /// Times that two threads tested one request at once: must stay 0.
  std::atomic<std::size_t> collisions{0};
  [[nodiscard]] std::size_t in_flight();

 private:
  struct Transfer {
    std::uintptr_t id = 0;
    Envelope envelope;
    waybill::BufferShape buffer;
    std::vector<std::byte> message;  // of a send
    bool is_send = true;
    bool matched = false;
    bool cancelled = false;
    bool under_test = false;
    bool ended_at_post = false;  // a send that nobody will test
    unsigned looks_left = 0;
    Completion result;
  };

  [[nodiscard]] bool refuses() noexcept;
  Request add(Transfer&& transfer);
  void match(Transfer& send, Transfer& receive);
  void erase(std::uintptr_t id);

  std::mutex mutex_;
  std::mt19937_64 random_;
  const unsigned most_looks_;
  std::uintptr_t next_id_ = 1;
  std::list<Transfer> transfers_;  // in order of posting
  std::unordered_map<std::uintptr_t, std::list<Transfer>::iterator> by_id_;
};

/// Channels of one rank.
class MockChannels final : public waybill::transport::Channels {
 public:
  using Channel = waybill::transport::Channel;

  Channel duplicate(Channel /*parent*/) override { return next_.fetch_add(1); }
  std::optional<Channel> split(Channel /*parent*/, std::optional<int> color, int /*key*/) override {
    return color ? std::optional<Channel>(next_.fetch_add(1)) : std::nullopt;
  }
  void release(Channel /*channel*/) noexcept override { released.fetch_add(1); }
  [[nodiscard]] Channel world() const noexcept override { return 1; }
  [[nodiscard]] Channel self() const noexcept override { return 2; }
  [[nodiscard]] int rank(Channel /*channel*/) override { return 0; }
  [[nodiscard]] int size(Channel /*channel*/) override { return 1; }
  [[nodiscard]] std::vector<waybill::transport::NodeRank> on_node(Channel /*channel*/) override {
    return {{0, 0}};
  }
  [[nodiscard]] std::vector<int> members(Channel /*channel*/) override { return {0}; }
  [[nodiscard]] std::size_t channels_for_exact_matching() const noexcept override { return 16; }
  [[nodiscard]] int tag_upper_bound() const noexcept override { return 32767; }

  std::atomic<std::size_t> released{0};

 private:
  std::atomic<Channel> next_{3};
};

}  // namespace test_support
