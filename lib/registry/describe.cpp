// SPDX-License-Identifier: BSD-3-Clause
#include "registry/describe.hpp"

#include <fmt/format.h>

#include <string_view>

#include "registry/start_sites.hpp"

namespace waybill::registry {

namespace {

/// `isend #12`, and the communicator's name if it is not the usual one.
std::string label(const Record& record) {
  const char* kind = call_name(record);
  const std::string_view communicator = record.communicator;
  if (communicator.empty() || communicator == "world") {
    return fmt::format("{} #{}", kind, record.sequence);
  }
  return fmt::format("{} #{} on \"{}\"", kind, record.sequence, communicator);
}

/// `, root 2`, where there is one.
std::string root(const Record& record) {
  return has_root(record.call) ? fmt::format(", root {}", record.peer) : std::string();
}

std::string describe_collective(const Record& record) {
  const std::string size =
      record.call == Call::barrier ? std::string() : ", " + describe_bytes(record.bytes);
  return fmt::format("{}{}, collective {}{} ({})", label(record), root(record), record.tag, size,
                     describe(record.site));
}

/// `heat.cpp:12 in setup`, and of a persistent operation where it was started.
std::string describe_site(const Record& record) {
  std::string text = describe(record.site);
  const PostingSite start = start_site(record.started);
  if (start.line != 0) text += fmt::format(", started at {}", describe(start));
  return text;
}

}  // namespace

const char* call_name(const Record& record) noexcept {
  if (record.kind == Kind::collective) return name(record.call);
  return record.kind == Kind::send ? "isend" : "irecv";
}

std::string describe(const Record& record) {
  if (record.kind == Kind::collective) return describe_collective(record);
  return fmt::format("{} {} {}, {}, {} ({})", label(record),
                     record.kind == Kind::send ? "to" : "from", describe_peer(record.peer),
                     describe_tag(record.tag), describe_bytes(record.bytes), describe_site(record));
}

std::string describe_briefly(const Record& record) {
  return fmt::format("{} ({})", label(record), describe_site(record));
}

std::string describe(const PostingSite& site) {
  const std::string_view function = site.function;
  if (function.empty()) return file_and_line(site);
  return fmt::format("{} in {}", file_and_line(site), function);
}

std::string file_and_line(const PostingSite& site) {
  const std::string_view file = site.file;
  if (file.empty()) return "unknown place";
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), site.line);
}

std::string describe_peer(int peer) {
  if (peer == -1) return "any source";
  return peer < 0 ? "no peer" : fmt::format("rank {}", peer);
}

std::string describe_tag(int tag) { return tag == -1 ? "any tag" : fmt::format("tag {}", tag); }

std::string describe_bytes(std::size_t bytes) {
  static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  const char* unit = nullptr;
  std::size_t number = bytes;
  for (const char* next : units) {
    if (number == 0 || number % 1024 != 0) break;
    number /= 1024;
    unit = next;
  }
  if (unit == nullptr) return fmt::format("{} B", bytes);
  return fmt::format("{} B ({} {})", bytes, number, unit);
}

std::string describe_time(std::chrono::milliseconds time) {
  if (time < std::chrono::seconds(1)) return fmt::format("{} ms", time.count());
  return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000);
}

std::string describe_message(int source, int tag, const std::string& size) {
  std::string text =
      fmt::format("{} sent {}", source < 0 ? "somebody" : describe_peer(source), size);
  if (tag >= 0) text += fmt::format(" with tag {}", tag);
  return text;
}

std::string describe_truncation(const Record& record, int source, int tag,
                                std::optional<std::size_t> sent_bytes) {
  const std::string size = sent_bytes ? describe_bytes(*sent_bytes) : "a longer message";
  return fmt::format("{}: {}, the buffer holds {}", describe_briefly(record),
                     describe_message(source, tag, size), describe_bytes(record.bytes));
}

}  // namespace waybill::registry
