// SPDX-License-Identifier: BSD-3-Clause
#include "registry/byte_index.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "registry/footprint.hpp"
#include "registry/insert_as_registry.hpp"
#include "registry/overlap.hpp"
#include "registry/random_buffer.hpp"
#include "support/catch.hpp"

using namespace waybill::registry;

namespace {

using Sequences = std::vector<std::uint64_t>;

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

Record record(Footprint footprint, Access access, std::uint64_t sequence = 0) {
  Record made;
  made.footprint = std::move(footprint);
  made.access = access;
  made.sequence = sequence;
  return made;
}

Sequences insert(ByteIndex& index, Record& record) {
  Sequences found;
  for (const Record& other : insert_as_registry(index, record)) found.push_back(other.sequence);
  std::sort(found.begin(), found.end());
  return found;
}

/// Compares an index with looking at every live record.
class Twins {
 public:
  explicit Twins(bool locks = false) {
    if (!locks) return;
    std::thread([this] {  // a second user
      Record other = record(contiguous_footprint(at(0x40), 8), Access::read);
      static_cast<void>(insert(index_, other));
      index_.remove(other);
    })
        .join();
  }
  void insert_both(Footprint footprint, Access access) {
    auto made = std::make_unique<Record>(record(std::move(footprint), access, ++sequence_));
    Sequences expected;
    for (const auto& other : live_) {
      const bool harmless = access == Access::read && other->access == Access::read;
      if (!harmless && overlaps(other->footprint, made->footprint)) {
        expected.push_back(other->sequence);
      }
    }
    std::sort(expected.begin(), expected.end());
    REQUIRE(insert(index_, *made) == expected);
    conflicts_ += expected.size();
    live_.push_back(std::move(made));
  }
  /// Whoever frees this memory finds all that touch it, whatever they do.
  void find_both(const Footprint& memory) {
    Sequences expected;
    for (const auto& other : live_) {
      if (overlaps(other->footprint, memory)) expected.push_back(other->sequence);
    }
    Sequences found;
    for (const Record& other : index_.touching(memory.begin, memory.end - memory.begin)) {
      found.push_back(other.sequence);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    REQUIRE(found == expected);
  }
  void remove_both(std::size_t number) {
    index_.remove(*live_[number]);
    std::swap(live_[number], live_.back());
    live_.pop_back();
  }
  [[nodiscard]] std::size_t live() const { return live_.size(); }
  [[nodiscard]] std::size_t conflicts() const { return conflicts_; }

 private:
  ByteIndex index_;
  std::vector<std::unique_ptr<Record>> live_;
  std::uint64_t sequence_ = 0;
  std::size_t conflicts_ = 0;
};

}  // namespace

TEST_CASE("only pairs with a write conflict") {
  ByteIndex index;
  Record first = record(contiguous_footprint(at(0x1000), 64), Access::read, 1);
  Record second = record(contiguous_footprint(at(0x1000), 64), Access::read, 2);
  Record third = record(contiguous_footprint(at(0x1020), 64), Access::write, 3);
  Record fourth = record(contiguous_footprint(at(0x1050), 8), Access::read, 4);
  CHECK(insert(index, first).empty());
  CHECK(insert(index, second).empty());
  CHECK(insert(index, third) == Sequences{1, 2});
  CHECK(insert(index, fourth) == Sequences{3});
  index.remove(third);
  Record fifth = record(contiguous_footprint(at(0x1050), 8), Access::read, 5);
  CHECK(insert(index, fifth).empty());
  for (Record* each : {&first, &second, &fourth, &fifth}) index.remove(*each);
}

TEST_CASE("adjacent ranges and columns of one matrix are silent") {
  ByteIndex index;
  std::vector<Record> records;
  for (std::uintptr_t i = 0; i < 100; ++i) {
    records.push_back(record(contiguous_footprint(at(0x1000 + i * 40), 40), Access::write));
    records.push_back(record(strided_footprint(at(0x100000 + i * 8), 100, 8, 800), Access::write));
  }
  for (Record& each : records) CHECK(insert(index, each).empty());
  for (Record& each : records) index.remove(each);
}

TEST_CASE("a pair that meets in several granules is found once") {
  ByteIndex index;
  for (const std::size_t bytes : {64UL, 256UL, 4096UL, 65536UL, 1UL << 20, 1UL << 24, 1UL << 40}) {
    for (const std::size_t other_bytes : {64UL, 256UL, 65536UL, 1UL << 26, 1UL << 33}) {
      // Around a boundary of granules on every level.
      Record first =
          record(contiguous_footprint(at((1UL << 44) - bytes / 2), bytes), Access::write, 1);
      Record second = record(contiguous_footprint(at((1UL << 44) - other_bytes / 2), other_bytes),
                             Access::write, 2);
      CHECK(insert(index, first).empty());
      CHECK(insert(index, second) == Sequences{1});
      index.remove(first);
      CHECK(insert(index, first) == Sequences{2});
      index.remove(first);
      index.remove(second);
    }
  }
}

TEST_CASE("a large record finds small ones everywhere inside") {
  ByteIndex index;
  constexpr std::uintptr_t middle = 1UL << 44;  // where the buckets of every level turn
  for (const std::size_t bytes : {4096UL, 65536UL, 1UL << 20, 1UL << 24, 1UL << 30, 1UL << 36}) {
    std::vector<Record> small;
    Sequences all;
    for (const std::size_t size : {1UL, 300UL, 5000UL}) {
      for (const std::uintptr_t distance : {0UL, 256UL, 512UL, 12345UL, 65536UL, 999999UL}) {
        if (distance + size >= bytes / 2) continue;
        for (const std::uintptr_t begin : {middle + distance, middle - distance - size}) {
          all.push_back(all.size() + 1);
          small.push_back(record(contiguous_footprint(at(begin), size), Access::read, all.back()));
        }
      }
    }
    Record large = record(contiguous_footprint(at(middle - bytes / 2), bytes), Access::write);
    for (Record& each : small) CHECK(insert(index, each).empty());
    CHECK(insert(index, large) == all);
    for (Record& each : small) index.remove(each);
    for (Record& each : small) CHECK(insert(index, each) == Sequences{0});
    for (Record& each : small) index.remove(each);
    index.remove(large);
  }
}

TEST_CASE("an unwatched record is in no index, and removing twice is harmless") {
  ByteIndex index;
  Record nothing = record(Footprint(), Access::write);
  CHECK(insert(index, nothing).empty());
  index.remove(nothing);
  Record something = record(contiguous_footprint(at(0x1000), 64), Access::write);
  index.remove(something);
  CHECK(insert(index, something).empty());
  index.remove(something);
  index.remove(something);
  CHECK(insert(index, something).empty());
  index.remove(something);
}

TEST_CASE("a copy of a record is in no index") {
  ByteIndex index;
  Record original = record(contiguous_footprint(at(0x1000), 64), Access::write, 1);
  CHECK(insert(index, original).empty());
  Record copy = original;
  index.remove(copy);
  copy.sequence = 2;
  CHECK(insert(index, copy) == Sequences{1});
  index.remove(copy);
  index.remove(original);
}

TEST_CASE("at both ends of the address space") {
  ByteIndex index;
  Record all = record(contiguous_footprint(at(0), address_limit), Access::write, 1);
  Record last = record(contiguous_footprint(at(address_limit - 1), 1), Access::write, 2);
  Record first = record(contiguous_footprint(at(0), 1), Access::write, 3);
  CHECK(insert(index, last).empty());
  CHECK(insert(index, first).empty());
  CHECK(insert(index, all) == Sequences{2, 3});
  for (Record* each : {&all, &last, &first}) index.remove(*each);
}

TEST_CASE("messages side by side agree with looking at every record") {
  const bool locks = GENERATE(false, true);
  waybill::test::RandomBuffers buffers(7);
  Twins twins(locks);
  for (int step = 0; step < 60000; ++step) {
    if (twins.live() > 0 && buffers.size(0, 60) < twins.live()) {
      twins.remove_both(buffers.size(0, twins.live() - 1));
    } else {
      const Access access = buffers.size(0, 2) == 0 ? Access::read : Access::write;
      const std::uintptr_t begin = 0x10000 + buffers.size(0, 2040);
      const std::uintptr_t left_of_granule = 256 - begin % 256;
      const std::size_t size = std::min(buffers.size(1, 12), left_of_granule);
      twins.insert_both(contiguous_footprint(at(begin), size), access);
    }
  }
  CHECK(twins.conflicts() > 1000);
}

TEST_CASE("small crowded buffers agree with looking at every record") {
  const bool locks = GENERATE(false, true);
  waybill::test::RandomBuffers buffers(3);
  Twins twins(locks);
  for (int step = 0; step < 20000; ++step) {
    if (twins.live() > 0 && buffers.size(0, 40) < twins.live()) {
      twins.remove_both(buffers.size(0, twins.live() - 1));
    } else {
      const Access access = buffers.size(0, 1) == 0 ? Access::read : Access::write;
      twins.insert_both(buffers.next().footprint, access);
    }
  }
  CHECK(twins.conflicts() > 10000);
}

TEST_CASE("buffers of every size agree with looking at every record") {
  const bool locks = GENERATE(false, true);
  waybill::test::RandomBuffers buffers(5);
  Twins twins(locks);
  const auto size = [&] { return buffers.size(1, std::size_t{1} << buffers.size(0, 35)); };
  const auto address = [&] {
    const std::uintptr_t block = (std::uintptr_t{1} << 40) * buffers.size(1, 3);
    return at(block + buffers.size(0, std::size_t{1} << buffers.size(0, 35)));
  };
  const auto footprint = [&] {
    if (buffers.size(0, 2) > 0) return contiguous_footprint(address(), size());
    const std::size_t row = size() % 100000 + 1;
    if (buffers.size(0, 1) == 0) {
      return strided_footprint(address(), buffers.size(1, 50), row, row + size());
    }
    const auto gap = static_cast<std::ptrdiff_t>(row + size() % 1000000);
    return blocks_footprint(address(), buffers.size(1, 20),
                            make_block_list({{0, row}, {gap, row}, {3 * gap, 5}}, 4 * gap));
  };
  for (int step = 0; step < 10000; ++step) {
    if (twins.live() > 0 && buffers.size(0, 300) < twins.live()) {
      twins.remove_both(buffers.size(0, twins.live() - 1));
    } else {
      const Access access = buffers.size(0, 3) == 0 ? Access::write : Access::read;
      twins.insert_both(footprint(), access);
    }
    if (const Footprint memory = footprint(); step % 10 == 0 && memory.end > memory.begin) {
      twins.find_both(contiguous_footprint(memory.begin, memory.end - memory.begin));
    }
  }
  CHECK(twins.conflicts() > 10000);
}

TEST_CASE("who frees in the middle of a change finds nothing rather than wait for ever") {
  Stripe stripe;
  CHECK(stripe.comes_free());
  const std::uint32_t word = stripe.lock(1);
  CHECK_FALSE(stripe.comes_free());
  stripe.unlock(word, 1);
  CHECK(stripe.comes_free());

  SoleUser user;
  CHECK_FALSE(user.is_inside());
  if (user.enter()) {
    CHECK(user.is_inside());
    std::thread([&] { CHECK_FALSE(user.is_inside()); }).join();
    user.leave();
  }
  CHECK_FALSE(user.is_inside());
}
