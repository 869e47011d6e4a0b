// SPDX-License-Identifier: BSD-3-Clause
#include "job.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <map>

#include "bench.hpp"
#include "facts.hpp"
#include "output_file.hpp"
#include "report.hpp"
#include "table.hpp"
#include "tests.hpp"

namespace bench {

namespace {

using Test = void (*)(Bench&, const Entry&);

const std::map<std::string_view, Test>& tests() {
  static const std::map<std::string_view, Test> all{
      {"latency", run_latency}, {"bandwidth", run_bandwidth},           {"rate", run_rate},
      {"overlap", run_overlap}, {"late-partner", run_late_partner},     {"idle", run_idle},
      {"pending", run_pending}, {"oversubscribed", run_oversubscribed}, {"registry", run_registry}};
  return all;
}

void complain(const std::string& line) { fmt::print(stderr, "waybill-bench: {}\n", line); }

void say(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

int native(waybill::ThreadLevel level) {
  switch (level) {
    case waybill::ThreadLevel::single: return MPI_THREAD_SINGLE;
    case waybill::ThreadLevel::funneled: return MPI_THREAD_FUNNELED;
    case waybill::ThreadLevel::serialized: return MPI_THREAD_SERIALIZED;
    case waybill::ThreadLevel::multiple: break;
  }
  return MPI_THREAD_MULTIPLE;
}

/// The tests to run; of `all` those that fit.
std::vector<const Entry*> chosen(const Settings& settings, std::size_t ranks) {
  std::vector<const Entry*> entries;
  for (const std::string& name : settings.tests) {
    const Entry* const entry = entry_named(name);
    if (settings.tests.size() == 1 || fits(*entry, ranks)) entries.push_back(entry);
  }
  return entries;
}

/// Where the picture of a test goes.
std::string picture_of(const Settings& settings, const std::string& test) {
  return settings.tests.size() == 1 ? settings.plot_file : path_for(settings.plot_file, test);
}

std::vector<std::string> output_files(const Settings& settings, std::size_t ranks) {
  std::vector<std::string> paths;
  if (!settings.json_file.empty()) paths.push_back(settings.json_file);
  if (settings.plot_file.empty()) return paths;
  for (const Entry* entry : chosen(settings, ranks)) {
    paths.push_back(picture_of(settings, std::string(entry->name)));
  }
  return paths;
}

/// Rank 0 asks before anything is measured.
std::string refusal_of(const CommandLine& line, std::size_t ranks) {
  if (!line.refusal.empty()) return line.refusal;
  const Settings& settings = line.settings;
  for (const Entry* entry : chosen(settings, ranks)) {
    if (!fits(*entry, ranks)) {
      return fmt::format("{0} needs exactly {1} ranks: mpirun -n {1} waybill-bench {0}",
                         entry->name, entry->ranks);
    }
  }
  for (const std::string& path : output_files(settings, ranks)) {
    if (std::string failure = unwritable(path); !failure.empty()) return failure;
  }
  return {};
}

/// Rank 0's; the others print nothing. Returns a failure or nothing.
std::string write_outputs(Report& report, const Settings& settings) {
  report.machine.load_at_end = load_average();
  if (!settings.json_file.empty()) {
    if (std::string failure = write_file(settings.json_file, as_json(report)); !failure.empty()) {
      return failure;
    }
  }
  if (settings.plot_file.empty()) return {};
  std::map<std::string, std::vector<Result>> by_test;
  for (const Result& result : report.results) by_test[result.test].push_back(result);
  for (const auto& [test, results] : by_test) {
    const std::string picture = as_svg(report, results);
    if (std::string failure = write_file(picture_of(settings, test), picture); !failure.empty()) {
      return failure;
    }
  }
  return {};
}

Report start_report(int argc, char** argv, const Facts& facts) {
  Report report;
  report.machine = this_machine();
  report.mpi = facts.mpi;
  report.settings = facts.settings;
  report.command.assign(argv, argv + argc);
  report.date = utc_date();
  return report;
}

Outcome measure(int argc, char** argv, const CommandLine& line, int rank, int ranks) {
  const Facts facts = gather_facts(line.settings);
  Report report = start_report(argc, argv, facts);
  if (rank == 0) say(head_of(report));
  Bench bench(line.settings, facts.forced_check);
  for (const Entry* entry : chosen(line.settings, static_cast<std::size_t>(ranks))) {
    tests().at(entry->name)(bench, *entry);
    const std::vector<Result> results = bench.take_results();
    if (rank == 0) say(table_of(results));
    report.results.insert(report.results.end(), results.begin(), results.end());
  }
  std::string failure;
  if (rank == 0) failure = write_outputs(report, line.settings);
  if (!failure.empty()) complain(failure);
  return bench.agree(failure.empty() ? 0 : 1) == 0 ? Outcome::done : Outcome::failed;
}

}  // namespace

Outcome run_job(int& argc, char**& argv, const CommandLine& line) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, native(line.settings.thread_level), &provided);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  auto outcome = static_cast<int>(Outcome::done);
  if (rank == 0) {
    const std::string refusal = refusal_of(line, static_cast<std::size_t>(ranks));
    if (!refusal.empty()) {
      complain(refusal);
      outcome = static_cast<int>(Outcome::refused);
    }
  }
  MPI_Bcast(&outcome, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (outcome == static_cast<int>(Outcome::done)) {
    try {
      outcome = static_cast<int>(measure(argc, argv, line, rank, ranks));
    } catch (const std::exception& error) {
      complain(error.what());
      MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Outcome::failed));
    }
  }
  MPI_Finalize();
  return static_cast<Outcome>(outcome);
}

}  // namespace bench
