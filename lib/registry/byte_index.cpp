// SPDX-License-Identifier: BSD-3-Clause
#include "registry/byte_index.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "registry/overlap.hpp"

namespace waybill::registry {

namespace {

constexpr std::size_t stripe_buckets = 64;
constexpr auto reads = static_cast<std::size_t>(Access::read);  // the chains of a bucket
constexpr auto writes = static_cast<std::size_t>(Access::write);

struct Level {
  unsigned granule_bits;
  unsigned bucket_bits;          // log2 of the number of buckets
  std::size_t first_bucket = 0;  // all levels in one array
};

constexpr std::array<Level, 8> levels = [] {
  std::array<Level, 8> made{
      {{8, 14}, {12, 12}, {16, 12}, {20, 10}, {24, 10}, {28, 10}, {32, 10}, {63, 6}}};
  for (std::size_t i = 1; i < made.size(); ++i) {
    made[i].first_bucket = made[i - 1].first_bucket + (std::size_t{1} << made[i - 1].bucket_bits);
  }
  return made;
}();
constexpr std::size_t all_buckets =
    levels.back().first_bucket + (std::size_t{1} << levels.back().bucket_bits);

constexpr unsigned level_of(std::size_t bytes) noexcept {
  const auto bits = static_cast<unsigned>(std::bit_width(bytes - 1));
  return bits <= 8 ? 0 : std::min((bits - 5) / 4, 7U);
}

/// The granules of one level that bounds lie in.
struct Granules {
  std::uintptr_t first;
  std::uintptr_t last;
};

Granules granules_of(const Footprint& footprint, const Level& level) noexcept {
  return {footprint.begin >> level.granule_bits, (footprint.end - 1) >> level.granule_bits};
}

/// Keeps neighbours together inside a block of as many granules as there are
/// buckets, and turns each block further, so that arrays a power of two apart do
/// not share buckets. Two neighbours never share one: turn + 1 is no multiple of 64.
std::size_t bucket_of(std::uintptr_t granule, const Level& level) noexcept {
  constexpr std::uintptr_t turn = 0x9E3779B97F4A7C15;
  const std::uintptr_t mask = (std::uintptr_t{1} << level.bucket_bits) - 1;
  return level.first_bucket + ((granule + (granule >> level.bucket_bits) * turn) & mask);
}

/// A record inside one granule of level 0: most messages are small.
bool in_one_small_granule(const Footprint& footprint) noexcept {
  return ((footprint.begin ^ (footprint.end - 1)) >> levels[0].granule_bits) == 0;
}

/// Whether a record of a chain may share a byte with this one.
bool is_near(const Record& record, const IndexLink* chain) noexcept {
  for (; chain != nullptr; chain = chain->next) {
    const Footprint& other = chain->record->footprint;
    if (other.begin < record.footprint.end && record.footprint.begin < other.end) return true;
  }
  return false;
}

void unlink(IndexLink& link) noexcept {
  *link.previous = link.next;
  if (link.next != nullptr) link.next->previous = link.previous;
  link.record = nullptr;
}

}  // namespace

/// Where a record is linked.
struct ByteIndex::Place {
  explicit Place(const Footprint& footprint) noexcept {
    const std::size_t bytes = footprint.end - footprint.begin;
    if (level_of(bytes) == 0) {
      locate(footprint, 0);  // apart from the others, so that its constants are known
    } else {
      locate(footprint, level_of(bytes));
    }
  }

  unsigned level;
  std::uintptr_t granule[2];
  std::size_t bucket[2];
  std::uint32_t links;
  std::uint32_t links_in_first_stripe;

 private:
  void locate(const Footprint& footprint, unsigned number) noexcept {
    const Granules granules = granules_of(footprint, levels[number]);
    level = number;
    granule[0] = granules.first;
    bucket[0] = bucket_of(granules.first, levels[number]);
    links = links_in_first_stripe = 1;
    if (granules.first == granules.last) return;
    granule[1] = granules.last;
    bucket[1] = bucket_of(granules.last, levels[number]);
    links = 2;
    if (bucket[0] / stripe_buckets == bucket[1] / stripe_buckets) links_in_first_stripe = 2;
  }
};

/// What insert() is looking for, and what it found.
struct ByteIndex::Search {
  static constexpr std::uintptr_t any_granule = ~std::uintptr_t{0};

  const Record& record;
  std::vector<Record>& found;
  unsigned granule_bits;  // of the level searched
  std::uintptr_t first;   // the first granule there that the record lies in

  /// Looks through a chain for links into @p granule. A pair that meets in
  /// several granules is seen in the first that both lie in.
  void chain(const IndexLink* link, std::uintptr_t granule) noexcept {
    for (; link != nullptr; link = link->next) {
      const Record& other = *link->record;
      const Footprint& theirs = other.footprint;
      if (theirs.begin >= record.footprint.end || record.footprint.begin >= theirs.end) continue;
      const std::uintptr_t other_first = theirs.begin >> granule_bits;
      const std::uintptr_t here = other_first + (link == other.links ? 0 : 1);
      if (granule != any_granule && granule != here) continue;
      if (here == std::max(first, other_first)) compare(other);
    }
  }
  void bucket(const Bucket& chains, std::uintptr_t granule) noexcept {
    if (record.access == Access::write) chain(chains[reads], granule);
    chain(chains[writes], granule);
  }
  /// Takes a copy, because the other may be gone once the stripe is unlocked.
  [[gnu::noinline]] void compare(const Record& other) noexcept {
    if (!overlaps(record.footprint, other.footprint)) return;
    try {
      found.push_back(other);
    } catch (const std::bad_alloc&) {  // a finding less
    }
  }
};

ByteIndex::ByteIndex()
    : buckets_(std::make_unique<Bucket[]>(all_buckets)),
      stripes_(std::make_unique<Stripe[]>(all_buckets / stripe_buckets)) {}

template <class Change>
void ByteIndex::in_buckets_of(const Place& place, bool adds, Change change) noexcept {
  const std::uint32_t together = place.links_in_first_stripe;
  for (std::uint32_t i = 0; i < place.links; i += together) {
    const StripeLock lock(stripes_[place.bucket[i] / stripe_buckets], adds ? together : 0,
                          adds ? 0 : together);
    for (std::uint32_t j = i; j < i + together; ++j) change(j);
  }
}

void ByteIndex::announce(std::uint32_t own_level) noexcept {
  // Announced before the links are, so that whoever misses the level in its look
  // at used_levels_ below has linked its own record before this thread looks.
  if ((used_levels_.load() & own_level) == 0) [[unlikely]]
    used_levels_.fetch_or(own_level);
}

std::vector<Record> ByteIndex::insert(Record& record) noexcept {
  std::vector<Record> found;
  if (record.footprint.shape != Shape::unwatched) insert_anywhere(record, found);
  return found;
}

bool ByteIndex::insert_if_alone(Record& record) noexcept {
  const Footprint& footprint = record.footprint;
  if (!in_one_small_granule(footprint) || footprint.shape != Shape::contiguous) return false;
  announce(1);
  const std::size_t number = bucket_of(footprint.begin >> levels[0].granule_bits, levels[0]);
  {
    Stripe& stripe = stripes_[number / stripe_buckets];
    const std::uint32_t word = stripe.lock(1);
    Bucket& bucket = buckets_[number];
    if (is_near(record, bucket[writes]) ||
        (record.access == Access::write && is_near(record, bucket[reads]))) [[unlikely]] {
      stripe.unlock(word, 1);
      return false;
    }
    record.links[0].record = &record;
    add(record.links[0], bucket);
    stripe.unlock(word, 0);
  }
  const std::uint32_t others = used_levels_.load() & ~1U;
  return others == 0 || is_alone_on(others, record);
}

/// Takes the record out again if not.
[[gnu::noinline]] bool ByteIndex::is_alone_on(std::uint32_t numbers, Record& record) noexcept {
  std::vector<Record> found;
  search_levels(numbers, record, found);
  if (found.empty()) return true;
  remove(record);
  return false;
}

[[gnu::noinline]] void ByteIndex::insert_anywhere(Record& record,
                                                  std::vector<Record>& found) noexcept {
  const Place place(record.footprint);
  const std::uint32_t own_level = 1U << place.level;
  announce(own_level);
  Search search{record, found, levels[place.level].granule_bits, place.granule[0]};
  in_buckets_of(place, true, [&](std::uint32_t i) {
    Bucket& bucket = buckets_[place.bucket[i]];
    search.bucket(bucket, place.granule[i]);
    record.links[i].record = &record;
    add(record.links[i], bucket);
  });
  search_levels(used_levels_.load() & ~own_level, record, found);
}

[[gnu::noinline]] void ByteIndex::search_levels(std::uint32_t numbers, const Record& record,
                                                std::vector<Record>& found) noexcept {
  Search search{record, found, 0, 0};
  for (; numbers != 0; numbers &= numbers - 1) {
    search_level(static_cast<unsigned>(std::countr_zero(numbers)), search);
  }
}

void ByteIndex::add(IndexLink& link, Bucket& bucket) noexcept {
  IndexLink*& head = bucket[static_cast<std::size_t>(link.record->access)];
  link.next = head;
  link.previous = &head;
  if (head != nullptr) head->previous = &link.next;
  head = &link;
}

void ByteIndex::remove(Record& record) noexcept {
  if (record.links[0].record == nullptr) return;
  if (in_one_small_granule(record.footprint)) [[likely]] {
    const std::uintptr_t granule = record.footprint.begin >> levels[0].granule_bits;
    const StripeLock lock(stripes_[bucket_of(granule, levels[0]) / stripe_buckets], 0, 1);
    unlink(record.links[0]);
    return;
  }
  remove_anywhere(record);
}

[[gnu::noinline]] void ByteIndex::remove_anywhere(Record& record) noexcept {
  in_buckets_of(Place(record.footprint), false, [&](std::uint32_t i) { unlink(record.links[i]); });
}

[[gnu::noinline]] void ByteIndex::search_level(unsigned number, Search& search) noexcept {
  const Level& level = levels[number];
  const std::size_t size = std::size_t{1} << level.bucket_bits;
  const Granules granules = granules_of(search.record.footprint, level);
  search.granule_bits = level.granule_bits;
  search.first = granules.first;
  if (granules.last - granules.first >= size) {  // the whole level
    for (std::size_t b = 0; b < size; b += stripe_buckets) {
      search_run(level.first_bucket + b, stripe_buckets, Search::any_granule, search);
    }
    return;
  }
  for (std::uintptr_t granule = granules.first;;) {
    const std::size_t bucket = bucket_of(granule, level);
    const std::uintptr_t left = granules.last - granule + 1;
    const std::size_t length =
        std::min({left, stripe_buckets - bucket % stripe_buckets, size - (granule & (size - 1))});
    search_run(bucket, length, granule, search);
    if (length == left) return;
    granule += length;
  }
}

void ByteIndex::search_run(std::size_t bucket, std::size_t length, std::uintptr_t granule,
                           Search& search) noexcept {
  Stripe& stripe = stripes_[bucket / stripe_buckets];
  if (stripe.empty()) return;
  const StripeLock lock(stripe, 0, 0);
  for (std::size_t i = 0; i < length; ++i) {
    search.bucket(buckets_[bucket + i], granule == Search::any_granule ? granule : granule + i);
  }
}

}  // namespace waybill::registry
