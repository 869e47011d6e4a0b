// SPDX-License-Identifier: BSD-3-Clause
#include "compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "child_process.hpp"
#include "machine.hpp"
#include "merge.hpp"
#include "output_file.hpp"
#include "progress_line.hpp"
#include "table.hpp"

namespace bench {

namespace {

void complain(const std::string& line) { fmt::print(stderr, "waybill-bench: {}\n", line); }

std::string refusal_of(const Settings& settings) {
  for (const std::string& path : {settings.json_file, settings.plot_file}) {
    if (path.empty()) continue;
    if (std::string failure = unwritable(path); !failure.empty()) return failure;
  }
  return {};
}

/// A folder for the jobs' JSON, gone at the end. Jobs on other nodes need not see it, rank 0 does.
class Scratch {
 public:
  Scratch() {
    path_ = (std::filesystem::temp_directory_path() / "waybill-bench-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file() const { return path_ + "/job.json"; }

 private:
  std::string path_;
};

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

struct JobFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs one job and returns the JSON it wrote.
std::string run_one(const Settings& settings, const std::vector<std::string>& side) {
  const Scratch scratch;
  std::vector<std::string> command = split(settings.launcher);
  command.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  command.push_back(settings.tests.front());
  command.insert(command.end(), side.begin(), side.end());
  command.insert(command.end(), {"--json", scratch.file()});
  command.insert(command.end(), settings.job_arguments.begin(), settings.job_arguments.end());
  const Ending ending = run_child(command);
  if (ending.status != 0) {
    std::fputs(ending.output.c_str(), stderr);
    throw JobFailed(
        fmt::format("a job ended with status {}: {}", ending.status, fmt::join(command, " ")));
  }
  std::ifstream in(scratch.file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Report measure(const Settings& settings) {
  const Machine machine = this_machine();
  const std::vector<std::string> raw_side{"--only", "raw", "--thread-level", "single"};
  const std::vector<std::string> waybill_side{"--only", "waybill"};
  ProgressLine progress(true);
  std::vector<std::string> raw_jobs;
  std::vector<std::string> waybill_jobs;
  for (std::size_t job = 0; job < settings.jobs; ++job) {
    progress.show(fmt::format("waybill-bench: pair {} of {} jobs", job + 1, settings.jobs));
    const auto raw = [&] { raw_jobs.push_back(run_one(settings, raw_side)); };
    const auto waybill = [&] { waybill_jobs.push_back(run_one(settings, waybill_side)); };
    if (job % 2 == 0) {
      raw();
      waybill();
    } else {
      waybill();
      raw();
    }
  }
  Report report = merge(raw_jobs, waybill_jobs);
  report.machine = machine;
  report.machine.load_at_end = load_average();
  report.settings.push_back({"jobs", std::to_string(settings.jobs), "bench"});
  report.settings.push_back({"launcher", settings.launcher, "bench"});
  return report;
}

/// Returns a failure or nothing.
std::string write_outputs(const Report& report, const Settings& settings) {
  std::string failure;
  if (!settings.json_file.empty()) failure = write_file(settings.json_file, as_json(report));
  if (failure.empty() && !settings.plot_file.empty() && !report.results.empty()) {
    failure = write_file(settings.plot_file, as_svg(report, report.results));
  }
  return failure;
}

}  // namespace

Outcome run_compare(int argc, char** argv, const Settings& settings) {
  const std::string refusal = refusal_of(settings);
  if (!refusal.empty()) {
    complain(refusal);
    return Outcome::refused;
  }
  try {
    Report report = measure(settings);
    report.command.assign(argv, argv + argc);
    report.date = utc_date();
    fmt::print("{}{}", head_of(report), table_of(report.results));
    std::fflush(stdout);
    const std::string failure = write_outputs(report, settings);
    if (failure.empty()) return Outcome::done;
    complain(failure);
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return Outcome::failed;
}

}  // namespace bench
