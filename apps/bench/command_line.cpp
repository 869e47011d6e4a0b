// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "catalog.hpp"
#include "check_levels.hpp"
#include "options_text.hpp"
#include "waybill/config.hpp"

namespace bench {

namespace {

std::string description() {
  return "Measures Waybill against raw MPI, in the same processes and in turns:\n"
         "  mpirun -n 2 waybill-bench latency --sizes 8,64KiB --json latency.json\n\n"
         "Tests:\n" +
         list_of_tests();
}

constexpr const char* explanation =
    "A round measures raw MPI and every kind of Waybill once; the order changes from round to\n"
    "round. Printed are medians over the rounds. ratio = waybill / raw is the median of the\n"
    "rounds' ratios; shares in % have none. spread is the interquartile range as a share of the\n"
    "median; of shares, in points. A row is noisy, and its ratio says nothing, with fewer than 5\n"
    "rounds, or if the interquartile range of the rounds' ratios is wider than 15 % of the ratio,\n"
    "or if the ratio is off 1 by more than 5 % although its quartiles enclose 1. Of shares: if\n"
    "the interquartile range of the rounds' differences is wider than 10 points.\n"
    "\n"
    "Sizes: 8, 64KiB, 1M ... in powers of 1024. For fair numbers let no other program run, and do\n"
    "not set mpi_yield_when_idle. docs/performance.md tells more.\n"
    "\n"
    "compare starts jobs itself, without a shell; what follows -- goes to each:\n"
    "  waybill-bench compare latency --launcher 'mpiexec -n 2' --jobs 5 -- --sizes 8,64KiB\n"
    "\n"
    "Exit status: 0 done; 1 a failure; 2 refused.\n"
    "WAYBILL_* variables win over options, and are then named in the head of the output.";

void declare_tests(CLI::App& app, OptionsText& text) {
  app.add_option("test", text.words, "the test, or compare TEST")->type_name("TEST");
  app.add_option("--sizes", text.sizes, "message sizes, default: the test's own");
  app.add_option("--check", text.check,
                 "check levels to measure, some of " + check_level_names() +
                     " (default basic; registry: all)");
  app.add_option("--threads", text.threads, "rate: numbers of threads (default 1,2,4)");
  app.add_option("--window", text.window, "bandwidth: messages in flight (default 8,64)");
  app.add_option("--pending", text.pending, "pending: receives (default 0,100,10000)");
  app.add_option("--compute", text.compute,
                 "overlap, late-partner: length of the computation (default: overlap calibrates, "
                 "late-partner 3ms)");
  app.add_option("--cores", text.cores,
                 "overlap, late-partner: own, shared or launched (default: overlap own if there "
                 "are 2 cores, late-partner launched)");
  app.add_option("--responsiveness", text.responsiveness,
                 "Waybill's: yield or nap (default yield)");
}

void declare_run(CLI::App& app, Settings& settings, OptionsText& text) {
  app.add_option("--rounds", text.rounds, "rounds of each measurement (default 15, idle 5)");
  app.add_flag("--quick", settings.quick, "5 short rounds: to see that it works");
  app.add_option("--only", text.only, "one side only: raw or waybill");
  app.add_option("--thread-level", text.thread_level,
                 "to ask MPI for: single, funneled, serialized or multiple (default multiple)");
  app.add_option("--json", settings.json_file, "write all samples and facts of the machine");
  app.add_option("--plot", settings.plot_file,
                 "draw an SVG picture; with all, one per test: FILE-TEST.svg");
  app.add_option("--launcher", text.launcher,
                 "compare: how to start a job (default: mpiexec -n 2)");
  app.add_option("--jobs", text.jobs, "compare: jobs of each kind (default 5)");
}

/// CLI11's texts may have several lines.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// compare has few options of its own; the others are its jobs'.
std::string misplaced(const CLI::App& app, const Settings& settings) {
  static const std::set<std::string> of_compare{"--launcher", "--jobs", "--json", "--plot", "test"};
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name();
    if (settings.compare && !of_compare.contains(name)) {
      return fmt::format("{} is for the jobs of compare: give it after --.", name);
    }
    if (!settings.compare && (name == "--launcher" || name == "--jobs")) {
      return fmt::format("{} is for compare only.", name);
    }
  }
  return {};
}

std::string overview() {
  return "waybill-bench measures Waybill against raw MPI: mpirun -n 2 waybill-bench TEST\n" +
         list_of_tests() + "waybill-bench --help tells the rest.\n";
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  OptionsText text;
  CLI::App app(description(), "waybill-bench");
  declare_tests(app, text);
  declare_run(app, line.settings, text);
  app.set_version_flag("--version", "waybill-bench " WAYBILL_VERSION);
  app.footer(explanation);
  try {
    app.parse(argc, argv);
    if (argc <= 1) {
      line.information = overview();
    } else if (text.words.empty()) {
      line.refusal = "no test is given: waybill-bench without arguments lists them.";
    } else {
      line.refusal = interpret(text, line.settings);
      if (line.refusal.empty()) line.refusal = misplaced(app, line.settings);
    }
  } catch (const CLI::CallForHelp&) {
    line.information = app.help();
  } catch (const CLI::CallForVersion& version) {
    line.information = fmt::format("{}\n", version.what());
  } catch (const CLI::ParseError& error) {
    line.refusal = fmt::format("{}. See waybill-bench --help.", one_line(error.what()));
  }
  return line;
}

}  // namespace bench
