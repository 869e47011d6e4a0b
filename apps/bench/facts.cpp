// SPDX-License-Identifier: BSD-3-Clause
#include "facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <algorithm>
#include <array>

#include "check_levels.hpp"
#include "thread_level_name.hpp"
#include "waybill/info.hpp"
#include "waybill/runtime.hpp"

namespace bench {

namespace {

constexpr std::size_t text_bytes = 128;

/// Where every rank runs; on rank 0.
std::vector<std::string> gather_bindings(const waybill::Info& info) {
  const std::string mine =
      fmt::format("{}, cores {}{}", info.host, info.cpu_mask, info.bound ? " (bound)" : "");
  std::array<char, text_bytes> text{};
  mine.copy(text.data(), text.size() - 1);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<std::array<char, text_bytes>> all(rank == 0 ? static_cast<std::size_t>(info.ranks)
                                                          : 0);
  MPI_Gather(text.data(), text_bytes, MPI_CHAR, all.data(), text_bytes, MPI_CHAR, 0,
             MPI_COMM_WORLD);
  std::vector<std::string> bindings;
  for (const auto& one : all) bindings.emplace_back(one.data());
  return bindings;
}

SettingInForce of_bench(const char* name, std::string value) {
  return {name, std::move(value), "bench"};
}

/// Those that matter for the tests asked for.
std::vector<SettingInForce> bench_settings(const Settings& settings) {
  std::vector<SettingInForce> all{of_bench("rounds", std::to_string(settings.rounds))};
  const auto measures = [&](const char* test) {
    return std::find(settings.tests.begin(), settings.tests.end(), test) != settings.tests.end();
  };
  if (settings.quick) all.push_back(of_bench("quick", "yes"));
  if (settings.compute) {
    all.push_back(of_bench("compute_us", fmt::format("{}", settings.compute->count() / 1000)));
  }
  if (measures("rate")) {
    all.push_back(of_bench("threads", fmt::format("{}", fmt::join(settings.threads, ","))));
  }
  if (measures("bandwidth")) {
    all.push_back(of_bench("window", fmt::format("{}", fmt::join(settings.windows, ","))));
  }
  if (measures("pending")) {
    all.push_back(of_bench("pending", fmt::format("{}", fmt::join(settings.pending, ","))));
  }
  return all;
}

/// The check levels that will be measured.
std::string levels_of(const Settings& settings, const Facts& facts) {
  if (!facts.forced_check.empty()) return facts.forced_check;
  if (!settings.levels.empty()) return fmt::format("{}", fmt::join(settings.levels, ","));
  std::string usual;
  for (const CheckLevel& level : check_levels) {
    if (level.check == waybill::Options().check) usual = level.name;
  }
  const bool all = settings.tests == std::vector<std::string>{"registry"};
  return all ? check_level_names() : usual;
}

}  // namespace

Facts gather_facts(const Settings& settings) {
  Facts facts;
  facts.settings = bench_settings(settings);
  waybill::Options options;
  options.responsiveness = settings.responsiveness;
  const waybill::Runtime runtime(options);
  for (const waybill::Setting& setting : runtime.settings()) {
    facts.settings.push_back({setting.variable, setting.value, setting.origin});
    const bool forced = setting.origin == "environment";
    if (forced && setting.variable == "WAYBILL_CHECK") facts.forced_check = setting.value;
  }
  facts.settings.insert(facts.settings.begin(), of_bench("check", levels_of(settings, facts)));
  const waybill::Info info = waybill::info();
  facts.mpi = {info.mpi_library,
               info.mpi_standard,
               waybill_apps::thread_level_name(info.thread_level),
               static_cast<std::size_t>(info.ranks),
               static_cast<std::size_t>(info.ranks_on_node),
               info.oversubscribed,
               gather_bindings(info)};
  return facts;
}

}  // namespace bench
