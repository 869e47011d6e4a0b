// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/json_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "recorder/clock_text.hpp"
#include "recorder/json_text.hpp"
#include "recorder/one_line.hpp"
#include "recorder/whole_write.hpp"

namespace waybill::recorder {

namespace {

constexpr std::string_view file_begin = "waybill-findings-";
constexpr std::string_view file_end = ".jsonl";

/// The first time in this process that somebody writes there.
bool is_first_use(const std::string& path) {
  static std::mutex mutex;
  static std::set<std::string> used;
  const std::lock_guard lock(mutex);
  return used.insert(path).second;
}

/// The rank that such a file belongs to, or -1.
int rank_of(std::string_view name) noexcept {
  if (!name.starts_with(file_begin) || !name.ends_with(file_end)) return -1;
  if (name.size() <= file_begin.size() + file_end.size()) return -1;
  const char* const begin = name.data() + file_begin.size();
  const char* const end = name.data() + name.size() - file_end.size();
  int rank = -1;
  const auto [rest, wrong] = std::from_chars(begin, end, rank);
  return wrong == std::errc() && rest == end ? rank : -1;
}

/// Of an earlier run with more ranks.
void remove_files_of_missing_ranks(const std::string& folder, int ranks) noexcept {
  try {
    std::error_code ignored;
    std::vector<std::filesystem::path> old;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      if (rank_of(entry.path().filename().native()) >= ranks) old.push_back(entry.path());
    }
    for (const auto& path : old) std::filesystem::remove(path, ignored);
  } catch (const std::exception&) {  // they stay
  }
}

/// A power of ten.
bool is_milestone(std::size_t count) noexcept {
  while (count > 0 && count % 10 == 0) count /= 10;
  return count == 1;
}

std::string json_site(const PostingSite& site) {
  return fmt::format(R"("file":{},"line":{},"function":{})", json_text(site.file), site.line,
                     json_text(site.function));
}

}  // namespace

std::string json_line(const Finding& finding, int ranks, std::size_t count) {
  const std::string other =
      finding.other.line == 0 ? "null" : fmt::format("{{{}}}", json_site(finding.other));
  return fmt::format(
      "{{\"version\":1,\"kind\":{},\"rank\":{},\"ranks\":{},\"time\":{},\"count\":{},{},"
      "\"other\":{},\"what\":{},\"advice\":{}}}\n",
      json_text(name(finding.kind)), finding.rank, ranks, json_text(clock_text()), count,
      json_site(finding.site), other, json_text(finding.what), json_text(finding.advice));
}

JsonLines::JsonLines(const std::string& folder, Origin origin, std::string& error)
    : origin_(origin),
      path_(fmt::format("{}/{}{}{}", folder, file_begin, origin.rank, file_end)),
      told_(Places::max_places) {
  // if it fails, so will what follows
  static_cast<void>(::mkdir(folder.c_str(), S_IRWXU | S_IRWXG | S_IRWXO));
  const int begin_anew = is_first_use(path_) ? O_TRUNC : 0;
  // O_NONBLOCK: a pipe of that name that nobody reads is an error, not a hang
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | begin_anew,
                 S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  if (file_ < 0) {
    error = one_line(fmt::format("{} cannot be written: {}", path_, std::strerror(errno)));
  } else if (origin.rank == 0) {
    remove_files_of_missing_ranks(folder, origin.ranks);
  }
}

JsonLines::~JsonLines() {
  if (file_ >= 0) ::close(file_);
}

void JsonLines::tell(const Finding& finding, const Places::Seen& seen) {
  if (seen.place == Places::max_places || !is_milestone(seen.count)) return;
  const std::lock_guard lock(mutex_);
  // a thread that counted more may have been faster
  if (told_[seen.place] < seen.count) write(finding, seen.place, seen.count);
}

void JsonLines::end(const Tally& tally) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < tally.places.size(); ++i) {
    const Place& place = tally.places[i];
    if (told_[i] < place.count) write(place.finding(), i, place.count);
  }
  for (std::size_t kind = 0; kind < finding_kinds; ++kind) {
    if (tally.elsewhere[kind] == 0) continue;
    Finding further;
    further.kind = static_cast<FindingKind>(kind);
    further.rank = tally.rank;
    further.what = "at further places, which were only counted";
    append(json_line(further, origin_.ranks, tally.elsewhere[kind]));
  }
}

/// Tells of the place's findings up to the count.
void JsonLines::write(const Finding& finding, std::size_t place, std::size_t count) {
  append(json_line(finding, origin_.ranks, count - told_[place]));
  told_[place] = count;
}

void JsonLines::append(const std::string& line) {
  if (file_ < 0) return;
  const off_t before = ::lseek(file_, 0, SEEK_END);
  if (write_whole(file_, line) == line.size()) return;
  const std::string reason = std::strerror(errno);
  if (before >= 0) static_cast<void>(!::ftruncate(file_, before));
  ::close(file_);
  file_ = -1;
  const std::string text =
      fmt::format("waybill: rank {}: {} cannot be written: {}; further findings are not told there",
                  origin_.rank, path_, reason);
  write_whole(STDERR_FILENO, one_line(text) + "\n");
}

}  // namespace waybill::recorder
