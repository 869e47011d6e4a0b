// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/junit.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "recorder/clock_text.hpp"
#include "recorder/one_line.hpp"
#include "recorder/whole_write.hpp"
#include "recorder/xml_text.hpp"

namespace waybill::recorder {

namespace {

/// What Runtimes of this process that have ended left for a file. Never destroyed:
/// a Runtime may end late.
struct EarlierSuites {
  std::mutex mutex;
  std::map<std::string, std::string> of_file;
};

EarlierSuites& earlier_suites() {
  static EarlierSuites* const instance = new EarlierSuites;
  return *instance;
}

std::string unfinished(const std::string& path) { return path + ".part"; }

/// Empty, or why not.
std::string write_file(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK,
                          S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  if (file < 0) return std::strerror(errno);
  std::string reason;
  if (write_whole(file, text) != text.size()) reason = std::strerror(errno);
  if (::close(file) != 0 && reason.empty()) reason = std::strerror(errno);
  return reason;
}

std::string place_text(const Place& place) {
  return fmt::format("{} x {}\n  {}\n  to do: {}\n", place.count, xml_text(place.text()),
                     xml_text(place.what), xml_text(place.advice));
}

/// All findings of one kind are one failure, since many readers show only one.
struct TestCase {
  TestCase(FindingKind kind, const Tally& tally, bool watched)
      : findings(tally.elsewhere[static_cast<std::size_t>(kind)]) {
    std::string places;
    for (const Place& place : tally.places) {
      if (place.kind != kind) continue;
      findings += place.count;
      places += place_text(place);
    }
    skipped = findings == 0 && !watched;
    text = fmt::format(R"(    <testcase classname="waybill.rank{}" name="{}" time="0")", tally.rank,
                       name(kind));
    if (findings > 0) {
      text += fmt::format(">\n      <failure type=\"{}\" message=\"{} {}\">\n{}      </failure>\n",
                          name(kind), findings, findings == 1 ? "finding" : "findings", places);
    } else if (skipped) {
      text += ">\n      <skipped message=\"not watched at this WAYBILL_CHECK\"/>\n";
    }
    text += findings > 0 || skipped ? "    </testcase>\n" : "/>\n";
  }

  std::size_t findings;
  bool skipped;
  std::string text;
};

std::string host() {
  char name[256] = "";
  static_cast<void>(!::gethostname(name, sizeof name - 1));
  return name;
}

}  // namespace

std::string name_with_rank(const std::string& file, int rank) {
  const std::string number = std::to_string(rank);
  std::string result = file;
  bool found = false;
  for (std::size_t at = 0; (at = result.find("%r", at)) != std::string::npos; found = true) {
    result.replace(at, 2, number);
    at += number.size();
  }
  if (found) return result;
  const std::filesystem::path path(file);
  std::filesystem::path own = path.parent_path() / path.stem();
  (own += '-' + number) += path.extension();
  return own;
}

JUnit::JUnit(JUnitOptions options, std::string& error)
    : options_(std::move(options)), path_(name_with_rank(options_.file, options_.rank)) {
  EarlierSuites& earlier = earlier_suites();
  const std::lock_guard lock(earlier.mutex);
  std::string reason = write_file(unfinished(path_), "");
  if (reason.empty()) {
    ::unlink(unfinished(path_).c_str());
    const bool first_use = earlier.of_file.count(path_) == 0;
    if (first_use && ::unlink(path_.c_str()) != 0 && errno != ENOENT) {
      reason = std::strerror(errno);
    }
  }
  usable_ = reason.empty();
  if (!usable_) error = one_line(fmt::format("{} cannot be written: {}", path_, reason));
}

std::string JUnit::suite(const Tally& tally) const {
  std::string cases;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < finding_kinds; ++i) {
    const TestCase test(static_cast<FindingKind>(i), tally, options_.watched[i]);
    failures += test.findings > 0 ? 1 : 0;
    skipped += test.skipped ? 1 : 0;
    cases += test.text;
  }
  const std::chrono::duration<double> seconds = std::chrono::system_clock::now() - begin_;
  return fmt::format(
      "  <testsuite name=\"waybill rank {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "skipped=\"{}\" hostname=\"{}\" timestamp=\"{}\" time=\"{:.3f}\">\n    <properties>\n"
      "      <property name=\"suppressed\" value=\"{}\"/>\n    </properties>\n{}  </testsuite>\n",
      tally.rank, finding_kinds, failures, skipped, xml_text(host()), clock_text(begin_),
      seconds.count(), tally.all_suppressed(), cases);
}

void JUnit::end(const Tally& tally) {
  if (!usable_) return;
  EarlierSuites& earlier = earlier_suites();
  const std::lock_guard lock(earlier.mutex);
  std::string& suites = earlier.of_file[path_];
  suites += suite(tally);
  const std::string part = unfinished(path_);
  std::string reason =
      write_file(part, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites +
                           "</testsuites>\n");
  if (reason.empty() && std::rename(part.c_str(), path_.c_str()) != 0) {
    reason = std::strerror(errno);
  }
  if (reason.empty()) return;
  ::unlink(part.c_str());
  const std::string line =
      fmt::format("waybill: rank {}: {} cannot be written: {}", tally.rank, path_, reason);
  write_whole(STDERR_FILENO, one_line(line) + "\n");
}

}  // namespace waybill::recorder
