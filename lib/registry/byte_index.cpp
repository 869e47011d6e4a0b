// SPDX-License-Identifier: BSD-3-Clause
#include "registry/byte_index.hpp"

#include "registry/index_search.hpp"

namespace waybill::registry {

namespace {

/// Whether a record of a chain may share a byte with this one.
bool is_near(const Record& record, Cells cells, const Chain& chain) noexcept {
  if (!chain.touches(cells)) [[likely]]
    return false;
  for (const IndexLink* link = chain.first(); link != nullptr; link = link->next) {
    const Footprint& other = link->record->footprint;
    if (other.begin < record.footprint.end && record.footprint.begin < other.end) return true;
  }
  return false;
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
  Cells cells[2];
  std::size_t bucket[2];
  std::uint32_t links;
  std::uint32_t links_in_first_stripe;

 private:
  void locate(const Footprint& footprint, unsigned number) noexcept {
    const Granules granules = granules_of(footprint, levels[number]);
    level = number;
    granule[0] = granules.first;
    cells[0] = cells_of(footprint, granules.first, levels[number]);
    bucket[0] = bucket_of(granules.first, levels[number]);
    links = links_in_first_stripe = 1;
    if (granules.first == granules.last) return;
    granule[1] = granules.last;
    cells[1] = cells_of(footprint, granules.last, levels[number]);
    bucket[1] = bucket_of(granules.last, levels[number]);
    links = 2;
    if (bucket[0] / stripe_buckets == bucket[1] / stripe_buckets) links_in_first_stripe = 2;
  }
};

ByteIndex::ByteIndex() : table_(std::make_unique<Table>()) {}

template <class Change>
void ByteIndex::in_buckets_of(const Place& place, bool alone, bool adds, Change change) noexcept {
  const std::uint32_t together = place.links_in_first_stripe;
  for (std::uint32_t i = 0; i < place.links; i += together) {
    const StripeLock lock(table_->stripes[place.bucket[i] / stripe_buckets], alone,
                          adds ? together : 0, adds ? 0 : together);
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

bool ByteIndex::insert_small(Record& record) noexcept {
  const Use use(user_);
  const Footprint& footprint = record.footprint;
  announce(1);
  const std::size_t number = small_bucket_of(footprint);
  const Cells cells = small_cells_of(footprint);
  {
    StripeLock lock(table_->stripes[number / stripe_buckets], use.alone(), 1, 0);
    Bucket& bucket = table_->buckets[number];
    if (is_near(record, cells, bucket[writes]) ||
        (record.access == Access::write && is_near(record, cells, bucket[reads]))) [[unlikely]] {
      lock.add_none(1);
      return false;
    }
    record.links[0].record = &record;
    bucket[static_cast<std::size_t>(record.access)].add(record.links[0], cells);
  }
  const std::uint32_t others = used_levels_.load() & ~1U;
  return others == 0 || is_alone_on(others, record, use.alone());
}

/// Takes the record out again if not.
[[gnu::noinline]] bool ByteIndex::is_alone_on(std::uint32_t numbers, Record& record,
                                              bool alone) noexcept {
  std::vector<Record> found;
  search_levels(numbers, {record, found, alone});
  if (found.empty()) return true;
  take_out(record, alone);
  return false;
}

[[gnu::noinline]] void ByteIndex::insert_anywhere(Record& record,
                                                  std::vector<Record>& found) noexcept {
  const Use use(user_);
  const Place place(record.footprint);
  const std::uint32_t own_level = 1U << place.level;
  announce(own_level);
  Search search{record, found, use.alone(), levels[place.level].granule_bits, place.granule[0]};
  in_buckets_of(place, use.alone(), true, [&](std::uint32_t i) {
    Bucket& bucket = table_->buckets[place.bucket[i]];
    search.bucket(bucket, place.granule[i], place.cells[i]);
    record.links[i].record = &record;
    bucket[static_cast<std::size_t>(record.access)].add(record.links[i], place.cells[i]);
  });
  search_levels(used_levels_.load() & ~own_level, {record, found, use.alone()});
}

[[gnu::noinline]] void ByteIndex::remove_anywhere(Record& record) noexcept {
  const Use use(user_);
  take_out(record, use.alone());
}

void ByteIndex::take_out(Record& record, bool alone) noexcept {
  const Place place(record.footprint);
  in_buckets_of(place, alone, false, [&](std::uint32_t i) {
    Chain& chain = table_->buckets[place.bucket[i]][static_cast<std::size_t>(record.access)];
    chain.remove(record.links[i], [&] { return place.cells[i]; });
  });
}

}  // namespace waybill::registry
