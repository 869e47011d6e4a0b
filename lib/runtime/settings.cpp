// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "recorder/flight_ring.hpp"
#include "runtime/byte_size.hpp"
#include "runtime/duration.hpp"
#include "waybill/error.hpp"

namespace waybill::runtime {

namespace {

/// One setting: how its value reads and what it changes.
struct Entry {
  const char* variable;
  std::string allowed;
  std::function<std::string(const Options&)> show;
  std::function<bool(Options&, std::string_view)> read;  // false: not a value
};

template <class T>
struct Word {
  const char* text;
  T value;
};

/// A setting that takes one of a few words.
template <class T>
Entry words(const char* variable, T Options::*member, std::vector<Word<T>> allowed) {
  std::string list;
  for (const auto& word : allowed) list += (list.empty() ? "" : ", ") + std::string(word.text);
  return {variable, list,
          [member, allowed](const Options& options) {
            for (const auto& word : allowed) {
              if (word.value == options.*member) return std::string(word.text);
            }
            return std::string("?");
          },
          [member, allowed](Options& options, std::string_view text) {
            for (const auto& word : allowed) {
              if (word.text != text) continue;
              options.*member = word.value;
              return true;
            }
            return false;
          }};
}

/// A message is one line, whatever the environment holds.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

bool is_number_of_events(std::size_t entries) {
  using recorder::FlightRing;
  return entries >= FlightRing::least_entries && entries <= FlightRing::most_entries;
}

bool read_number(std::string_view text, Options& options) {
  std::size_t entries = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), entries);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (!is_number_of_events(entries)) return false;
  options.recorder_entries = entries;
  return true;
}

/// A setting that names a file or folder. Whether it can be used is seen later.
Entry path(const char* variable, std::string Options::*member, const char* allowed) {
  return {variable, allowed,
          [member](const Options& options) { return printable(options.*member); },
          [member](Options& options, std::string_view text) {
            options.*member = text;
            return true;
          }};
}

/// A level, and perhaps peer checks.
Entry check_entry() {
  const Entry levels = words<Check>("WAYBILL_CHECK", &Options::check,
                                    {{"off", Check::off},
                                     {"basic", Check::basic},
                                     {"content", Check::content},
                                     {"guard", Check::guard}});
  constexpr std::string_view peer = ",peer";
  return {"WAYBILL_CHECK", levels.allowed + ", off,peer, basic,peer, content,peer, guard,peer",
          [levels, peer](const Options& options) {
            const std::string level = levels.show(options);
            return options.peer && level != "?" ? level + std::string(peer) : level;
          },
          [levels, peer](Options& options, std::string_view text) {
            options.peer = text.ends_with(peer);
            if (options.peer) text.remove_suffix(peer.size());
            return levels.read(options, text);
          }};
}

Entry recorder_entry() {
  using recorder::FlightRing;
  return {"WAYBILL_RECORDER",
          fmt::format("auto, off, or a number of events from {} to {}", FlightRing::least_entries,
                      FlightRing::most_entries),
          [](const Options& options) {
            if (!options.recorder_entries) return std::string("auto");
            const std::size_t entries = *options.recorder_entries;
            return entries == 0 ? "off" : std::to_string(entries);
          },
          [](Options& options, std::string_view text) {
            if (text == "auto") options.recorder_entries.reset();
            else if (text == "off") options.recorder_entries = 0;
            else return read_number(text, options);
            return true;
          }};
}

std::vector<Entry> entries() {
  return {
      check_entry(),
      words<Progress>("WAYBILL_PROGRESS", &Options::progress,
                      {{"thread", Progress::thread}, {"inline", Progress::inline_only}}),
      words<Responsiveness>("WAYBILL_RESPONSIVENESS", &Options::responsiveness,
                            {{"yield", Responsiveness::yield}, {"nap", Responsiveness::nap}}),
      words<WaitMode>(
          "WAYBILL_WAIT", &Options::wait,
          {{"auto", WaitMode::automatic}, {"spin", WaitMode::spin}, {"yield", WaitMode::yield}}),
      words<ThreadLevel>("WAYBILL_THREAD_LEVEL", &Options::thread_level,
                         {{"multiple", ThreadLevel::multiple},
                          {"serialized", ThreadLevel::serialized},
                          {"funneled", ThreadLevel::funneled},
                          {"single", ThreadLevel::single}}),
      {"WAYBILL_SHUTDOWN_TIMEOUT", "seconds, or a number with ms, s or min, up to 24 h: 5, 250ms",
       [](const Options& options) { return format_duration(options.shutdown_timeout); },
       [](Options& options, std::string_view text) {
         const auto duration = parse_duration(text);
         if (duration) options.shutdown_timeout = *duration;
         return duration.has_value();
       }},
      {"WAYBILL_STALL_TIMEOUT", "off, or a time as in WAYBILL_SHUTDOWN_TIMEOUT, not 0",
       [](const Options& options) {
         return options.stall_timeout.count() == 0 ? "off" : format_duration(options.stall_timeout);
       },
       [](Options& options, std::string_view text) {
         const auto duration =
             text == "off" ? std::optional(std::chrono::milliseconds(0)) : parse_duration(text);
         if (duration) options.stall_timeout = *duration;
         return duration && (duration->count() > 0 || text == "off");
       }},
      {"WAYBILL_SHADOW_LIMIT", "bytes, or a number with KiB, MiB or GiB: 4096, 64KiB",
       [](const Options& options) { return format_byte_size(options.shadow_limit); },
       [](Options& options, std::string_view text) {
         const auto bytes = parse_byte_size(text);
         if (bytes) options.shadow_limit = *bytes;
         return bytes.has_value();
       }},
      {"WAYBILL_SAMPLE", "all, or bytes, or a number with KiB, MiB or GiB",
       [](const Options& options) {
         return options.sample == 0 ? "all" : format_byte_size(options.sample);
       },
       [](Options& options, std::string_view text) {
         const auto bytes = text == "all" ? std::optional<std::size_t>(0) : parse_byte_size(text);
         if (bytes) options.sample = *bytes;
         return bytes.has_value() && (*bytes > 0 || text == "all");
       }},
      recorder_entry(),
      words<bool>("WAYBILL_REPORT", &Options::report_text, {{"text", true}, {"none", false}}),
      words<FindingPolicy>("WAYBILL_ON_FINDING", &Options::finding_policy,
                           {{"report", FindingPolicy::report},
                            {"throw", FindingPolicy::throw_error},
                            {"abort", FindingPolicy::abort_job}}),
      words<StallPolicy>("WAYBILL_ON_STALL", &Options::stall_policy,
                         {{"report", StallPolicy::report}, {"abort", StallPolicy::abort_job}}),
      words<bool>("WAYBILL_STRICT", &Options::strict, {{"off", false}, {"on", true}}),
      path("WAYBILL_REPORT_DIR", &Options::report_directory, "a folder"),
      path("WAYBILL_JUNIT", &Options::junit_file, "a file name"),
      path("WAYBILL_SUPPRESSIONS", &Options::suppressions_file, "a file name"),
  };
}

void check_program(const Options& options, const std::vector<Entry>& all) {
  ErrorDetail detail;
  detail.routine = "Runtime";
  for (const Entry& entry : all) {
    if (entry.show(options) == "?") {
      detail.what = fmt::format("Runtime: the option for {} has no known value; allowed: {}",
                                entry.variable, entry.allowed);
    }
  }
  if (options.shutdown_timeout.count() < 0 || options.shutdown_timeout > longest_duration) {
    detail.what = fmt::format("Runtime: shutdown_timeout is {} ms; allowed: 0 to 24 h",
                              options.shutdown_timeout.count());
  }
  if (options.stall_timeout.count() < 0 || options.stall_timeout > longest_duration) {
    detail.what = fmt::format("Runtime: stall_timeout is {} ms; allowed: 0 (off) to 24 h",
                              options.stall_timeout.count());
  }
  const std::size_t events = options.recorder_entries.value_or(0);
  if (events != 0 && !is_number_of_events(events)) {
    detail.what =
        fmt::format("Runtime: recorder_entries is {}; allowed: 0 for none, {} to {}", events,
                    recorder::FlightRing::least_entries, recorder::FlightRing::most_entries);
  }
  if (!detail.what.empty()) throw Error(Errc::invalid_option, std::move(detail));
}

/// WAYBILL_BUILD_* and WAYBILL_TEST_* belong to the build and its tests.
std::vector<std::string> unknown_variables(const std::vector<Entry>& all) {
  std::vector<std::string> lines;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with("WAYBILL_") || name.starts_with("WAYBILL_BUILD_") ||
        name.starts_with("WAYBILL_TEST_")) {
      continue;
    }
    if (std::any_of(all.begin(), all.end(),
                    [&](const Entry& entry) { return name == entry.variable; })) {
      continue;
    }
    lines.push_back(fmt::format("{} is not a setting and was ignored; waybill-info lists them all",
                                printable(std::string(name))));
  }
  return lines;
}

}  // namespace

Settings resolve(const Options& program) {
  const std::vector<Entry> all = entries();
  check_program(program, all);
  const Options defaults;
  Settings settings;
  settings.options = program;
  for (const Entry& entry : all) {
    const char* origin = entry.show(program) == entry.show(defaults) ? "default" : "program";
    if (const char* value = std::getenv(entry.variable); value != nullptr && *value != '\0') {
      origin = "environment";
      if (!entry.read(settings.options, value) && settings.environment_error.empty()) {
        settings.environment_error = fmt::format("{}={} is not a known value; allowed: {}",
                                                 entry.variable, printable(value), entry.allowed);
      }
    }
    settings.list.push_back({entry.variable, entry.show(settings.options), entry.allowed, origin});
  }
  settings.unknown_variables = unknown_variables(all);
  return settings;
}

}  // namespace waybill::runtime
