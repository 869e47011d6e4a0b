// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_dump.hpp"

#include <time.h>

#include "waybill/finding.hpp"

namespace waybill::recorder {

namespace {

constexpr std::uint64_t format_version = 1;

std::uint64_t wall_clock_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// What a finding is called, which is what its event holds instead of a size.
const char* finding_name(std::uint64_t kind) noexcept {
  return kind < finding_kinds ? waybill::name(static_cast<FindingKind>(kind)) : "unknown";
}

void write_number(SafeJson& json, std::string_view key, std::uint64_t value) noexcept {
  json.key(key);
  json.number(value);
}

void write_signed(SafeJson& json, std::string_view key, std::int64_t value) noexcept {
  json.key(key);
  json.signed_number(value);
}

void write_string(SafeJson& json, std::string_view key, const char* value) noexcept {
  json.key(key);
  json.foreign_string(value);
}

}  // namespace

void FlightDump::write(SafeFile& file, const char* reason, std::uint64_t number) noexcept {
  SafeJson json(file);
  scale_.emplace(ring_.ticks().scale());
  json.begin_object();
  write_head(json, reason, number);
  write_communicators(json);
  write_events(json);
  write_lanes(json);
  json.new_line();
  json.end_object();
  file.append('\n');
}

void FlightDump::write_head(SafeJson& json, const char* reason,
                            std::uint64_t number) const noexcept {
  write_string(json, "format", "waybill-flight-record");
  write_number(json, "version", format_version);
  json.new_line();
  write_string(json, "reason", reason);
  write_number(json, "record", number);
  json.new_line();
  write_signed(json, "rank", facts_.rank);
  write_signed(json, "size", facts_.size);
  write_string(json, "host", facts_.host.c_str());
  write_signed(json, "pid", facts_.process);
  write_string(json, "waybill", facts_.version.c_str());
  json.new_line();
  write_number(json, "time_ns", monotonic_ns());
  write_number(json, "wall_clock_ns", wall_clock_ns());
  json.key("clock_offset_ns");
  if (facts_.clock) json.signed_number(facts_.clock->nanoseconds);
  else json.null();
  json.key("clock_offset_error_ns");
  if (facts_.clock) json.number(facts_.clock->error);
  else json.null();
  json.new_line();
}

void FlightDump::write_communicators(SafeJson& json) const noexcept {
  json.key("communicators");
  json.begin_array();
  const std::size_t listed = members_.listed();
  for (std::size_t i = 0; i < listed; ++i) {
    const FlightCommunicator& communicator = members_[i];
    json.new_line();
    json.begin_object();
    write_string(json, "name", communicator.name);
    write_signed(json, "rank", communicator.rank);
    write_signed(json, "size", communicator.size);
    json.key("members");
    json.begin_array();
    for (const int member : communicator.members) json.signed_number(member);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.new_line();
  write_number(json, "communicators_not_listed", members_.unlisted());
  json.new_line();
}

/// The cursor whose event comes next in time, if there is any left.
FlightDump::Cursor* FlightDump::earliest() noexcept {
  Cursor* first = nullptr;
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    Cursor& cursor = cursors_[i];
    while (!cursor.ready && cursor.next < cursor.end) {
      cursor.ready = FlightRing::lane(i).read(cursor.next++, cursor.event);
      if (cursor.ready) ++kept_[i];
    }
    if (!cursor.ready) continue;
    if (first == nullptr || cursor.event.ticks < first->event.ticks) first = &cursor;
  }
  return first;
}

void FlightDump::write_events(SafeJson& json) noexcept {
  kept_.fill(0);
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    const FlightLane& lane = FlightRing::lane(i);
    const std::uint64_t end = lane.end();
    const std::uint64_t begin = lane.begin(end);
    cursors_[i] = {begin, end, begin, false, {}};
  }
  json.key("events");
  json.begin_array();
  while (Cursor* const cursor = earliest()) {
    json.new_line();
    write_event(json, cursor->event);
    cursor->ready = false;
  }
  json.end_array();
  json.new_line();
}

void FlightDump::write_event(SafeJson& json, const RecordedEvent& recorded) const noexcept {
  const FlightEvent& event = recorded.event;
  json.begin_object();
  write_number(json, "time_ns", scale_->nanoseconds(recorded.ticks));
  write_number(json, "thread", recorded.thread);
  write_string(json, "event", name(event.kind));
  if (event.kind == EventKind::finding) {
    write_string(json, "finding", finding_name(event.bytes));
  } else {
    write_string(json, "operation", name(event.transfer));
    write_number(json, "sequence", event.sequence);
    write_signed(json, "peer", event.peer);
    write_signed(json, "tag", event.tag);
    write_number(json, "bytes", event.bytes);
    write_string(json, "communicator", event.communicator);
  }
  write_string(json, "file", event.file);
  write_number(json, "line", event.line);
  json.end_object();
}

/// What the record does not have.
void FlightDump::write_lanes(SafeJson& json) const noexcept {
  std::uint64_t last = 0;
  std::uint64_t dropped = 0;
  std::uint64_t torn = 0;
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    const std::uint64_t sequence = FlightRing::lane(i).last_dropped_sequence();
    last = sequence > last ? sequence : last;
    dropped += cursors_[i].begin;
    torn += cursors_[i].end - cursors_[i].begin - kept_[i];
  }
  write_number(json, "entries", ring_.entries());
  write_number(json, "dropped_events", dropped);
  write_number(json, "unreadable_events", torn);
  write_number(json, "last_dropped_sequence", last);
}

}  // namespace waybill::recorder
