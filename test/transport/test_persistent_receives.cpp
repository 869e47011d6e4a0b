// SPDX-License-Identifier: BSD-3-Clause
// Receives that are repeated, through the transport: whatever happened to the one
// before, the next is filled by its own message.
#include "transport/mpi/persistent_receives.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "transport/mpi/mpi_channels.hpp"
#include "transport/mpi/mpi_transport.hpp"

using waybill::Element;
using waybill::Errc;
using waybill::registry::Kind;
using waybill::transport::Channel;
using waybill::transport::Completion;
using waybill::transport::Outcome;
using waybill::transport::PlainCount;
using waybill::transport::Posted;
using waybill::transport::Request;
using waybill::transport::mpi::MpiChannels;
using waybill::transport::mpi::MpiTransport;
using waybill::transport::mpi::PersistentReceives;
using waybill::transport::mpi::ReceiveKey;

namespace {

using Bytes = std::vector<std::uint8_t>;

PlainCount count_of(std::size_t bytes) { return {bytes, Element::byte, false}; }

/// Between this rank and another one, which does the same.
class Exchange {
 public:
  Exchange(MpiTransport& transport, Channel channel, int peer)
      : transport_(transport), channel_(channel), peer_(peer) {}

  [[nodiscard]] Request receive(Bytes& into, int tag) const {
    return request_of(
        transport_.receive_plain(into.data(), count_of(into.size()), peer_, tag, channel_));
  }
  [[nodiscard]] Request send(const Bytes& from, int tag) const {
    return request_of(
        transport_.send_plain(from.data(), count_of(from.size()), peer_, tag, channel_));
  }
  Outcome end(Request request, Kind kind, Completion& completion, bool cancel_asked = false) const {
    Outcome outcome = request.ended_at_post() ? Outcome::ended : Outcome::in_flight;
    while (outcome == Outcome::in_flight) {
      outcome = transport_.test(request, {kind, cancel_asked}, completion);
    }
    return outcome;
  }
  /// One message each way; the receive is posted first.
  void round(Bytes& into, std::uint8_t value, int tag) const {
    const Bytes from(into.size(), value);
    const Request receive = this->receive(into, tag);
    finish(receive, send(from, tag), into, value, tag);
  }
  void finish(Request receive, Request send, const Bytes& into, std::uint8_t value, int tag) const {
    Completion received;
    Completion sent;
    REQUIRE(end(receive, Kind::receive, received) == Outcome::ended);
    REQUIRE(end(send, Kind::send, sent) == Outcome::ended);
    REQUIRE(into == Bytes(into.size(), value));
    REQUIRE(received.bytes == into.size());
    REQUIRE(received.source == peer_);
    REQUIRE(received.tag == tag);
  }

 private:
  static Request request_of(const Posted& posted) {
    REQUIRE(posted.failure == nullptr);
    return posted.request;
  }

  MpiTransport& transport_;
  Channel channel_;
  int peer_;
};

struct Ranks {
  MpiTransport transport;
  MpiChannels channels{{}};
  int peer = 1 - channels.rank(channels.world());

  [[nodiscard]] Exchange on(Channel channel) { return {transport, channel, peer}; }
  [[nodiscard]] Exchange world() { return on(channels.world()); }
};

}  // namespace

TEST_CASE("the second receive of a kind is ready to be started, the first is not") {
  PersistentReceives receives;
  MpiChannels channels({});
  int buffer = 0;
  const ReceiveKey key(&buffer, {4, Element::byte, false}, 0, 3, channels.self());
  for (const bool ready : {false, true}) {
    PersistentReceives::Entry* const entry = receives.take(key);
    REQUIRE(receives.take(key) == nullptr);
    REQUIRE(entry != nullptr);
    REQUIRE_FALSE(PersistentReceives::is_ready(*entry, key));
    REQUIRE(PersistentReceives::get_ready(*entry, key, MPI_BYTE) == ready);
  }
}

TEST_CASE("a repeated receive gets the message of its own buffer, length, tag and channel") {
  Ranks ranks;
  const Channel second = ranks.channels.duplicate(ranks.channels.world());
  Bytes buffer(64);
  Bytes neighbour(64);
  for (int i = 0; i < 40; ++i) {
    INFO("round " << i);
    const auto value = static_cast<std::uint8_t>(i);
    ranks.world().round(buffer, value, 3);
    ranks.world().round(neighbour, value + 1, 3);
    ranks.world().round(buffer, value + 2, 4);
    ranks.on(second).round(buffer, value + 3, 3);
    buffer.resize(i % 2 == 0 ? 16 : 64);
  }
  ranks.transport.forget(second);
  ranks.channels.release(second);
}

TEST_CASE("one buffer may be posted again while it is in flight") {
  Ranks ranks;
  const Exchange world = ranks.world();
  Bytes buffer(8);
  for (std::uint8_t i = 0; i < 20; ++i) {
    std::vector<Request> receives;
    std::vector<Request> sends;
    const Bytes value(8, i);
    for (int k = 0; k < 5; ++k) receives.push_back(world.receive(buffer, 3));
    for (int k = 0; k < 5; ++k) sends.push_back(world.send(value, 3));
    for (std::size_t k = 0; k < 5; ++k) world.finish(receives[k], sends[k], buffer, i, 3);
  }
}

TEST_CASE("a receive is repeated after one that was cancelled, truncated or given up") {
  Ranks ranks;
  const Exchange world = ranks.world();
  Bytes buffer(64);
  Completion completion;
  for (int i = 0; i < 12; ++i) {
    INFO("round " << i);
    for (const std::uint8_t value : {1, 2, 3}) world.round(buffer, value, 3);
    Request receive = world.receive(buffer, 3);
    if (i % 3 == 0) {
      ranks.transport.cancel(receive);
      REQUIRE(world.end(receive, Kind::receive, completion, true) == Outcome::cancelled);
      MPI_Barrier(MPI_COMM_WORLD);  // the other's next message comes after this
    } else if (i % 3 == 1) {
      const Request send = world.send(Bytes(96, 7), 3);
      REQUIRE(world.end(receive, Kind::receive, completion) == Outcome::failed);
      REQUIRE(completion.failure->code == Errc::truncated);
      REQUIRE(world.end(send, Kind::send, completion) == Outcome::ended);
      completion = {};
    } else {
      const Bytes value(64, 9);
      const Request send = world.send(value, 3);
      ranks.transport.abandon(receive, Kind::receive);
      REQUIRE(world.end(send, Kind::send, completion) == Outcome::ended);
      const volatile std::uint8_t* const last = &buffer.back();
      while (*last != 9) ranks.transport.progress();
    }
  }
}

TEST_CASE("a channel may end while one of its receives is in flight") {
  Ranks ranks;
  Bytes buffer(8);
  for (std::uint8_t i = 0; i < 50; ++i) {
    INFO("channel " << int{i});
    const Channel channel = ranks.channels.duplicate(ranks.channels.world());
    const Exchange exchange = ranks.on(channel);
    for (std::uint8_t value : {1, 2}) exchange.round(buffer, value, 3);
    const Request receive = exchange.receive(buffer, 3);
    const Bytes from(8, i);
    const Request send = exchange.send(from, 3);
    ranks.transport.forget(channel);
    ranks.channels.release(channel);
    exchange.finish(receive, send, buffer, i, 3);
  }
}

TEST_CASE("more buffers than there is room for") {
  Ranks ranks;
  const Exchange world = ranks.world();
  std::vector<Bytes> buffers(5000, Bytes(8));
  for (std::uint8_t round = 0; round < 4; ++round) {
    std::vector<Request> receives;
    std::vector<Request> sends;
    const Bytes from(8, round);
    for (Bytes& buffer : buffers) receives.push_back(world.receive(buffer, 3));
    for (std::size_t i = 0; i < buffers.size(); ++i) sends.push_back(world.send(from, 3));
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      world.finish(receives[i], sends[i], buffers[i], round, 3);
    }
  }
}

TEST_CASE("threads repeat receives, and others see them end") {
  Ranks ranks;
  const Channel self = ranks.channels.self();
  constexpr int threads = 4;
  std::vector<std::thread> running;
  std::atomic<int> wrong{0};
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      std::vector<std::uint64_t> in(16);
      std::uint64_t out = 0;
      for (std::uint64_t i = 0; i < 2000; ++i) {
        std::uint64_t& slot = in[i % in.size()];
        const PlainCount count{8, Element::byte, false};
        Posted receive = ranks.transport.receive_plain(&slot, count, 0, thread, self);
        out = i * threads + static_cast<std::uint64_t>(thread);
        Posted send = ranks.transport.send_plain(&out, count, 0, thread, self);
        const auto end = [&](Posted& posted, Kind kind) {
          Completion completion;
          if (posted.request.ended_at_post()) return;
          while (ranks.transport.test(posted.request, {kind, false}, completion) ==
                 Outcome::in_flight) {
          }
        };
        // now and then one ends on another thread
        if (i % 64 == 0) std::thread([&] { end(receive, Kind::receive); }).join();
        else end(receive, Kind::receive);
        end(send, Kind::send);
        if (slot != out) ++wrong;
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  REQUIRE(wrong == 0);
}
