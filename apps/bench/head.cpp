// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report.hpp"
#include "waybill/config.hpp"

namespace bench {

namespace {

constexpr std::size_t most_bindings = 4;

std::string line(const char* name, const std::string& value) {
  return fmt::format("  {:<9} {}\n", name, value);
}

std::string bindings(const MpiFacts& mpi) {
  std::string text;
  const std::size_t shown = std::min(mpi.binding.size(), most_bindings);
  for (std::size_t rank = 0; rank < shown; ++rank) {
    text += line(rank == 0 ? "binding" : "", fmt::format("rank {}: {}", rank, mpi.binding[rank]));
  }
  if (shown < mpi.binding.size()) text += line("", "...");
  return text;
}

}  // namespace

std::string short_name(const MpiFacts& mpi) {
  std::string name;
  for (const char letter : mpi.library.substr(0, mpi.library.find(','))) {
    const bool blank = letter == ' ' || letter == '\t';
    if (blank && (name.empty() || name.back() == ' ')) continue;
    name += blank ? ' ' : letter;
  }
  return name;
}

std::string head_of(const Report& report) {
  const Machine& machine = report.machine;
  const MpiFacts& mpi = report.mpi;
  std::string text =
      fmt::format("waybill-bench {} on {}, {}\n", WAYBILL_VERSION, machine.host, report.date);
  text += line("machine", fmt::format("{}, {} cores, {} allowed, load {:.2f}", machine.cpu,
                                      machine.cores_online, machine.cores_allowed,
                                      machine.load_at_start.value_or(0)));
  text += line("MPI", fmt::format("{}, {}", short_name(mpi), mpi.thread_level));
  text += line("ranks", fmt::format("{}, {} on this node{}", mpi.ranks, mpi.ranks_on_node,
                                    mpi.oversubscribed ? ", more than cores" : ""));
  text += bindings(mpi);
  std::vector<std::string> values;
  std::vector<std::string> forced;
  for (const SettingInForce& setting : report.settings) {
    const std::string both = fmt::format("{}={}", setting.name, setting.value);
    if (setting.origin == "environment") forced.push_back(both);
    if (setting.origin == "bench") values.push_back(both);
  }
  text += line("settings", fmt::format("{}", fmt::join(values, " ")));
  if (!forced.empty()) {
    text += line("forced", fmt::format("{} from the environment", fmt::join(forced, " ")));
  }
  return text;
}

}  // namespace bench
