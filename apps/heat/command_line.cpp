// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "stencil.hpp"
#include "waybill/config.hpp"

namespace heat {

namespace {

constexpr std::size_t most_steps = 1'000'000'000;

constexpr const char* description =
    "Lets the brightness of a picture diffuse like heat, on a grid of MPI processes:\n"
    "  mpirun -n 4 waybill-heat --input picture.png --output heat.png\n"
    "The picture's border keeps its values.";

constexpr const char* explanation =
    "Hidden by overlap: in a step the processes post the exchange of their blocks' borders,\n"
    "compute the inner cells, wait, and compute the rest. 10 of every 50 steps are made without\n"
    "overlap, post, wait, compute everything, to compare with. Printed is the share of the time\n"
    "spent waiting that is gone, 1 - (waiting with) / (waiting without): medians over the steps,\n"
    "means over the processes, and never below 0. Waiting for a process that computes longer is\n"
    "in both, posting in neither. With more processes than cores both are the scheduler's doing.\n"
    "\n"
    "Exit status: 0 done; 1 the result differs from the serial one (--verify); 2 refused.\n"
    "WAYBILL_* variables change the runtime's behaviour, see docs/environment.md.";

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// CLI11's texts may have several lines.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// As text, so that the checks and their messages are ours.
struct Words {
  std::string steps = "300";
  std::string alpha = "0.2";
  std::string progress = "auto";
  std::optional<std::string> mistake;
};

void declare(CLI::App& app, Settings& settings, Words& words) {
  app.add_option("--input", settings.input, "PNG or PGM picture; colours become gray (needed)");
  app.add_option("--output", settings.output,
                 "PNG picture to write, 8 or 16 bit gray like the input")
      ->capture_default_str();
  app.add_option("--steps", words.steps, "time steps, 0 to 1000000000")->capture_default_str();
  app.add_option("--alpha", words.alpha, "diffusion in a step, above 0 and at most 0.25")
      ->capture_default_str();
  app.add_flag("--verify", settings.verify, "compare with the serial solution");
  app.add_option("--progress", words.progress,
                 "progress line on stderr: auto (if it is a terminal), always, never")
      ->capture_default_str();
  app.add_option("--mistake", words.mistake,
                 "make a mistake on purpose, to see what Waybill says: " + joined(mistake_names()));
  app.set_version_flag("--version", "waybill-heat " WAYBILL_VERSION);
  app.footer(explanation);
}

std::string refuse(const char* option, const std::string& value, const std::string& allowed) {
  return fmt::format("{} '{}' is not allowed: give {}.", option, value, allowed);
}

/// 0 to most_steps, digits only.
std::optional<std::size_t> steps_from(const std::string& word) {
  if (word.empty() || word.size() > 10) return std::nullopt;
  if (word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const std::size_t steps = std::stoull(word);
  if (steps > most_steps) return std::nullopt;
  return steps;
}

std::optional<double> alpha_from(const std::string& word) {
  char* end = nullptr;
  const double alpha = std::strtod(word.c_str(), &end);
  const bool number = end != word.c_str() && *end == '\0';
  if (!number || !(alpha > 0 && alpha <= max_alpha)) return std::nullopt;
  return alpha;
}

std::optional<ProgressLine> progress_from(const std::string& word) {
  if (word == "auto") return ProgressLine::automatic;
  if (word == "always") return ProgressLine::always;
  if (word == "never") return ProgressLine::never;
  return std::nullopt;
}

/// Fills in what was given as text; returns a refusal or an empty string.
std::string interpret(const Words& words, Settings& settings) {
  const auto steps = steps_from(words.steps);
  if (!steps) {
    return refuse("--steps", words.steps, fmt::format("a number from 0 to {}", most_steps));
  }
  settings.steps = *steps;
  const auto alpha = alpha_from(words.alpha);
  if (!alpha) return refuse("--alpha", words.alpha, "a number above 0 and at most 0.25");
  settings.alpha = *alpha;
  const auto progress = progress_from(words.progress);
  if (!progress) return refuse("--progress", words.progress, "auto, always or never");
  settings.progress = *progress;
  if (words.mistake) {
    const auto mistake = mistake_named(*words.mistake);
    if (!mistake) return refuse("--mistake", *words.mistake, "one of " + joined(mistake_names()));
    settings.mistake = *mistake;
  }
  if (settings.input.empty()) {
    return "--input is missing: give a PNG or PGM picture, such as apps/pictures/waybill.png.";
  }
  return {};
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  Words words;
  CLI::App app(description, "waybill-heat");
  declare(app, line.settings, words);
  try {
    app.parse(argc, argv);
    line.refusal = interpret(words, line.settings);
  } catch (const CLI::CallForHelp&) {
    line.information = app.help();
  } catch (const CLI::CallForVersion& version) {
    line.information = fmt::format("{}\n", version.what());
  } catch (const CLI::ParseError& error) {
    line.refusal = fmt::format("{}. See waybill-heat --help.", one_line(error.what()));
  }
  return line;
}

}  // namespace heat
