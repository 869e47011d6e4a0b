// SPDX-License-Identifier: BSD-3-Clause
// Hundreds of messages in flight at once, of which some are longer than their buffers:
// each receive and each send ends, and ends as its own message says. A library that
// loses a request beside a failed one makes this wait for ever.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "waybill/waybill.hpp"

using waybill::Communicator;
using waybill::Errc;
using waybill::Error;
using waybill::FindingKind;
using waybill::Runtime;
using waybill::Work;
using Bytes = std::vector<std::uint8_t>;

namespace {

// Open MPI 4.1 writes beyond the buffer where a longer message was cut.
constexpr std::size_t sizes[] = {1, 3, 64, 300, 968, 969, 2000, 4040};

std::uint8_t byte_of(int round, std::size_t message, std::size_t offset, int from) {
  return static_cast<std::uint8_t>(static_cast<std::size_t>(31 * round + 101 * from) + 7 * message +
                                   13 * offset);
}

/// One direction of a round, the same on both ranks.
struct Plan {
  explicit Plan(std::mt19937& random) : bytes(100 + random() % 200), too_long(bytes.size()) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = sizes[random() % std::size(sizes)];
      too_long[i] = bytes[i] > 2 && random() % 20 == 0;
    }
  }
  std::vector<std::size_t> bytes;
  std::vector<bool> too_long;
};

/// The works of one round, and the memory they use.
class Round {
 public:
  Round(const Communicator& world, const Plan& plan, int number)
      : world_(world), plan_(plan), number_(number), in_(plan.bytes.size()), out_(in_.size()) {
    for (std::size_t i = 0; i < in_.size(); ++i) {
      in_[i].resize(plan.bytes[i] - (plan.too_long[i] ? 1 : 0));
      out_[i].resize(plan.bytes[i]);
      for (std::size_t k = 0; k < out_[i].size(); ++k) {
        out_[i][k] = byte_of(number, i, k, world.rank());
      }
    }
  }

  std::vector<Work> post(std::mt19937& random) {
    std::vector<std::size_t> order(2 * in_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Work> works(order.size());
    for (const std::size_t i : order) {
      const std::size_t message = i / 2;
      const int tag = static_cast<int>(message);
      works[i] = i % 2 == 0 ? world_.irecv(in_[message], peer_, tag)
                            : world_.isend(out_[message], peer_, tag);
    }
    return works;
  }

  void require_ends(std::vector<Work>& works) const {
    for (std::size_t i = 0; i < works.size(); ++i) {
      const std::size_t message = i / 2;
      INFO("round " << number_ << ", work " << i << ", " << plan_.bytes[message] << " B");
      std::error_code failure;
      REQUIRE(works[i].test(failure));
      const bool cut = i % 2 == 0 && plan_.too_long[message];
      REQUIRE(failure == (cut ? make_error_code(Errc::truncated) : std::error_code()));
      if (i % 2 == 0 && !cut) require_bytes(message);
    }
  }

 private:
  void require_bytes(std::size_t message) const {
    bool right = true;
    for (std::size_t k = 0; k < in_[message].size(); ++k) {
      right &= in_[message][k] == byte_of(number_, message, k, peer_);
    }
    REQUIRE(right);
  }

  const Communicator& world_;
  const Plan& plan_;
  const int number_;
  const int peer_ = 1 - world_.rank();
  std::vector<Bytes> in_;
  std::vector<Bytes> out_;
};

}  // namespace

TEST_CASE("truncated messages among hundreds: every operation ends") {
  Runtime runtime({.report_text = false});
  const Communicator world = runtime.world();
  std::mt19937 common(5);  // both ranks draw the same plans
  std::mt19937 own(static_cast<unsigned>(world.rank()) + 999);
  std::size_t cut = 0;
  for (int number = 0; number < 25; ++number) {
    const Plan plan(common);
    Round round(world, plan, number);
    std::vector<Work> works = round.post(own);
    const auto longer = std::count(plan.too_long.begin(), plan.too_long.end(), true);
    cut += static_cast<std::size_t>(longer);
    std::error_code failure;
    try {
      waybill::wait_all(works);
    } catch (const Error& error) {
      failure = error.code();
    }
    REQUIRE(failure == (longer > 0 ? make_error_code(Errc::truncated) : std::error_code()));
    round.require_ends(works);
  }
  REQUIRE(cut > 50);
  REQUIRE(runtime.findings(FindingKind::truncated) == cut);
  REQUIRE(runtime.findings() == cut);
}
