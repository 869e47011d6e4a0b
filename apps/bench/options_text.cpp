// SPDX-License-Identifier: BSD-3-Clause
#include "options_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "catalog.hpp"
#include "check_levels.hpp"
#include "quantity.hpp"

namespace bench {

namespace {

using Text = std::optional<std::string>;

std::string refuse(const char* option, const std::string& value, const std::string& allowed) {
  return fmt::format("{} '{}' is not allowed: give {}.", option, value, allowed);
}

template <class T>
struct Choice {
  const char* name;
  T value;
};

/// One of a few words.
template <class T, class Target, std::size_t N>
std::string choose(const char* option, const Text& text, const Choice<T> (&choices)[N],
                   Target& target) {
  if (!text) return {};
  std::vector<std::string> names;
  for (const Choice<T>& choice : choices) {
    if (*text == choice.name) {
      target = choice.value;
      return {};
    }
    names.emplace_back(choice.name);
  }
  return refuse(option, *text, fmt::format("one of {}", fmt::join(names, ", ")));
}

std::string number(const char* option, const Text& text, std::size_t most, std::size_t& target) {
  if (!text) return {};
  const auto value = number_from(*text);
  if (!value || *value < 1 || *value > most) {
    return refuse(option, *text, fmt::format("a number from 1 to {}", most));
  }
  target = *value;
  return {};
}

std::string numbers(const char* option, const Text& text, std::pair<std::size_t, std::size_t> range,
                    std::vector<std::size_t>& target) {
  if (!text) return {};
  target.clear();
  for (const std::string& word : words_of(*text)) {
    const auto value = number_from(word);
    if (!value || *value < range.first || *value > range.second) {
      return refuse(
          option, *text,
          fmt::format("numbers from {} to {}, with commas between", range.first, range.second));
    }
    target.push_back(*value);
  }
  return {};
}

std::string sizes(const Text& text, std::vector<std::size_t>& target) {
  if (!text) return {};
  for (const std::string& word : words_of(*text)) {
    const auto value = bytes_from(word);
    if (!value) {
      return refuse("--sizes", *text,
                    "sizes up to 1GiB, with commas between, such as 8,64KiB,1MiB");
    }
    target.push_back(*value);
  }
  return {};
}

std::string levels(const Text& text, std::vector<std::string>& target) {
  if (!text) return {};
  target = words_of(*text);
  for (const std::string& word : target) {
    if (check_level_named(word) == nullptr) {
      return refuse("--check", *text,
                    fmt::format("some of {}, with commas between", check_level_names()));
    }
  }
  return {};
}

std::string compute_time(const Text& text, std::optional<std::chrono::nanoseconds>& target) {
  if (!text) return {};
  target = time_from(*text);
  if (target) return {};
  return refuse("--compute", *text, "a time up to 60s, such as 3ms");
}

std::string tests(const std::string& word, std::vector<std::string>& target) {
  if (word == "all") {
    for (const Entry& entry : catalog()) target.emplace_back(entry.name);
    return {};
  }
  if (entry_named(word) == nullptr) {
    return fmt::format("there is no test '{}': waybill-bench without arguments lists them.", word);
  }
  target.push_back(word);
  return {};
}

std::string named_tests(const OptionsText& text, Settings& settings) {
  std::size_t used = 1;
  if (text.words.front() == "compare") {
    settings.compare = true;
    if (text.words.size() < 2) return "compare needs the name of a test.";
    if (text.words[1] == "all") return "compare takes one test, not all.";
    settings.job_arguments.assign(text.words.begin() + 2, text.words.end());
    used = text.words.size();
    return tests(text.words[1], settings.tests);
  }
  if (text.words.size() > used) {
    return fmt::format("'{}' is one word too many: give one test, or all.", text.words[used]);
  }
  return tests(text.words.front(), settings.tests);
}

std::string choices(const OptionsText& text, Settings& settings) {
  using waybill::Responsiveness;
  using waybill::ThreadLevel;
  constexpr Choice<Cores> cores[] = {
      {"own", Cores::own}, {"shared", Cores::shared}, {"launched", Cores::launched}};
  constexpr Choice<Only> only[] = {{"raw", Only::raw}, {"waybill", Only::waybill}};
  constexpr Choice<Responsiveness> responsiveness[] = {{"yield", Responsiveness::yield},
                                                       {"nap", Responsiveness::nap}};
  constexpr Choice<ThreadLevel> level[] = {{"single", ThreadLevel::single},
                                           {"funneled", ThreadLevel::funneled},
                                           {"serialized", ThreadLevel::serialized},
                                           {"multiple", ThreadLevel::multiple}};
  for (const std::string& refusal :
       {choose("--cores", text.cores, cores, settings.cores),
        choose("--only", text.only, only, settings.only),
        choose("--responsiveness", text.responsiveness, responsiveness, settings.responsiveness),
        choose("--thread-level", text.thread_level, level, settings.thread_level)}) {
    if (!refusal.empty()) return refusal;
  }
  return {};
}

std::string files(const Settings& settings) {
  if (settings.json_file.empty() || settings.json_file != settings.plot_file) return {};
  return "--json and --plot name the same file: give two.";
}

}  // namespace

std::string interpret(const OptionsText& text, Settings& settings) {
  settings.rounds = settings.quick ? quick_rounds : settings.rounds;
  settings.rounds_given = text.rounds.has_value();
  if (text.launcher) settings.launcher = *text.launcher;
  for (const std::string& refusal :
       {named_tests(text, settings), sizes(text.sizes, settings.sizes),
        levels(text.check, settings.levels), choices(text, settings),
        numbers("--threads", text.threads, {1, most_threads}, settings.threads),
        numbers("--window", text.window, {1, most_window}, settings.windows),
        numbers("--pending", text.pending, {0, most_pending}, settings.pending),
        number("--rounds", text.rounds, most_rounds, settings.rounds),
        number("--jobs", text.jobs, most_rounds, settings.jobs),
        compute_time(text.compute, settings.compute), files(settings)}) {
    if (!refusal.empty()) return refusal;
  }
  if (settings.launcher.find_first_not_of(' ') == std::string::npos) {
    return "--launcher is empty: give the command that starts MPI jobs, such as 'mpiexec -n 2'.";
  }
  return {};
}

}  // namespace bench
