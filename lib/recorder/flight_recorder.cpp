// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_recorder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

namespace waybill::recorder {

namespace {

constinit std::atomic<FlightRecorder*> running{nullptr};
constinit std::atomic<pid_t> running_in{0};  // the process that runs it

/// A program may change its directory later.
std::string path_of(const std::string& directory, int rank) {
  std::error_code error;  // without one the path stays as it is
  const std::string name = fmt::format("waybill-flight-{}.json", rank);
  const std::filesystem::path path = std::filesystem::path(directory) / name;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path.string() : absolute.string();
}

/// A line for stderr, in pieces, where nothing may be allocated.
class Line {
 public:
  void append(std::string_view text) noexcept {
    const std::size_t part = std::min(text.size(), text_.size() - used_);
    std::memcpy(text_.data() + used_, text.data(), part);
    used_ += part;
  }
  void append(int number) noexcept {
    const auto digits = fmt::format_int(number);  // in a buffer of its own
    append(std::string_view(digits.data(), digits.size()));
  }
  void write() const noexcept { static_cast<void>(!::write(STDERR_FILENO, text_.data(), used_)); }

 private:
  std::array<char, 512> text_{};
  std::size_t used_ = 0;
};

}  // namespace

FlightRecorder::FlightRecorder(const FlightOptions& options, FlightFacts facts)
    : ring_(options.entries),
      facts_(std::move(facts)),
      dump_(ring_, facts_, members_),
      file_(path_of(options.directory, facts_.rank)),
      text_(options.text) {}

std::string FlightRecorder::obstacle() const {
  const std::string directory = std::filesystem::path(path()).parent_path().string();
  if (access(directory.c_str(), W_OK | X_OK) == 0) return {};
  return fmt::format("{}: {}", directory, std::strerror(errno));
}

bool FlightRecorder::write(const char* reason, const OneWriter& writer) noexcept {
  if (writer.interrupted_writer()) file_.abandon();  // a fault while writing: it will not end
  if (!writer.has_turn()) return false;
  bool written = file_.open();
  if (written) {
    dump_.write(file_, reason, records_ + 1);
    written = file_.finish();
  }
  if (written) ++records_;
  if (text_) say(reason, written);
  return written;
}

void FlightRecorder::say(const char* reason, bool written) const noexcept {
  Line line;
  line.append("waybill: rank ");
  line.append(facts_.rank);
  line.append(written ? ": flight record (" : ": no flight record (");
  line.append(reason);
  line.append(written ? ") in " : "): cannot write ");
  line.append(path());
  if (!written) {
    line.append(", errno ");
    line.append(file_.error());
  }
  line.append("\n");
  line.write();
}

bool set_running_recorder(FlightRecorder* recorder) noexcept {
  running_in.store(getpid(), std::memory_order_relaxed);
  // release pairs with the acquire in write_flight_record()
  running.store(recorder, std::memory_order_release);
  const OneWriter nobody_writes;
  return nobody_writes.has_turn();
}

bool write_flight_record(const char* reason) noexcept {
  // A child made by fork() writes nothing, and in it nobody would end a parent's turn.
  if (getpid() != running_in.load(std::memory_order_relaxed)) return false;
  const OneWriter writer;
  // Read with the turn, which set_running_recorder() waits for: it is not destroyed.
  // Acquire pairs with the release there.
  FlightRecorder* const recorder = running.load(std::memory_order_acquire);
  return recorder != nullptr && recorder->write(reason, writer);
}

}  // namespace waybill::recorder
