// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/seal.hpp"

#include <cstring>
#include <limits>
#include <vector>

#include "registry/content/pieces.hpp"
#include "registry/footprint.hpp"
#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

struct Fixture {
  ContentMemory memory{std::size_t{1} << 24U};
  Seal seal;
  std::vector<unsigned char> bytes;

  Fixture() : bytes(200'000) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7);
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
  ~Fixture() { seal.give_back(memory); }

  bool take(const Footprint& footprint, std::size_t sample = all) {
    return seal.take(footprint, touched_bytes(footprint), sample, memory);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a copy names the first byte that changed") {
  for (const std::size_t size : {1UL, 8UL, 64UL, 65UL, 5000UL, 65536UL}) {
    const Footprint footprint = contiguous_footprint(bytes.data() + 3, size);
    REQUIRE(take(footprint));
    CHECK_FALSE(seal.first_change(footprint));
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      bytes[3 + at] ^= 1U;
      const auto change = seal.first_change(footprint);
      REQUIRE(change);
      CHECK(change->offset == at);
      CHECK(change->bytes == 1);
      bytes[3 + at] ^= 1U;
    }
    bytes[2] ^= 1U;  // neighbours do not count
    bytes[3 + size] ^= 1U;
    CHECK_FALSE(seal.first_change(footprint));
    seal.give_back(memory);
    CHECK_FALSE(seal.taken());
  }
}

TEST_CASE_METHOD(Fixture, "of a large buffer the block that changed is named") {
  const Footprint footprint = contiguous_footprint(bytes.data(), 100'001);
  REQUIRE(take(footprint));
  CHECK_FALSE(seal.first_change(footprint));
  for (const std::size_t at : {0UL, 1023UL, 1024UL, 70'000UL, 100'000UL}) {
    bytes[at] ^= 0x80U;
    const auto change = seal.first_change(footprint);
    REQUIRE(change);
    CHECK(change->offset == at / 1024 * 1024);
    CHECK(change->bytes == (at == 100'000 ? 100'001 % 1024 : 1024));
    bytes[at] ^= 0x80U;
  }
  bytes[100'001] ^= 1U;
  CHECK_FALSE(seal.first_change(footprint));
}

TEST_CASE_METHOD(Fixture, "the gaps of a strided view do not count") {
  // 100 rows of 10 bytes: a copy; 200 of 900: sums of blocks that span rows
  for (const std::size_t row : {10UL, 900UL}) {
    const std::size_t rows = row == 10 ? 100 : 200;
    const Footprint footprint = strided_footprint(bytes.data(), rows, row, row + 50);
    REQUIRE(take(footprint));
    for (std::size_t i = 0; i < rows; ++i) bytes[i * (row + 50) + row] ^= 1U;
    CHECK_FALSE(seal.first_change(footprint));
    const std::size_t at = 57 * (row + 50) + row - 1;
    bytes[at] ^= 1U;
    const auto change = seal.first_change(footprint);
    REQUIRE(change);
    CHECK(change->offset <= at);
    CHECK(at < change->offset + change->bytes);
    if (row == 10) CHECK(change->offset == at);
    bytes[at] ^= 1U;
    CHECK_FALSE(seal.first_change(footprint));
    seal.give_back(memory);
  }
}

TEST_CASE_METHOD(Fixture,
                 "a sample sees every change in its blocks, and sooner or later each block") {
  const Footprint footprint = contiguous_footprint(bytes.data(), 128 * 1024);
  int seen = 0;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(take(footprint, 16 * 1024));
    CHECK_FALSE(seal.first_change(footprint));
    bytes[50 * 1024 + 5] ^= 1U;
    if (const auto change = seal.first_change(footprint)) {
      ++seen;
      CHECK(change->offset == 50 * 1024);
    }
    seal.give_back(memory);
  }
  CHECK(seen > 0);    // one of 8 blocks is looked at: 25 expected,
  CHECK(seen < 100);  // and these bounds are missed by chance once in 10^11 runs
}

TEST_CASE("contents take no more memory than they may") {
  ContentMemory memory(100'000);
  std::vector<std::byte> bytes(50'000);
  const Footprint footprint = contiguous_footprint(bytes.data(), bytes.size());
  Seal seals[3];
  CHECK(seals[0].take(footprint, bytes.size(), all, memory));
  CHECK(seals[1].take(footprint, bytes.size(), all, memory));
  CHECK_FALSE(seals[2].take(footprint, bytes.size(), all, memory));
  CHECK_FALSE(seals[2].taken());
  seals[0].give_back(memory);
  CHECK(seals[2].take(footprint, bytes.size(), all, memory));
  for (Seal& seal : seals) seal.give_back(memory);
}
